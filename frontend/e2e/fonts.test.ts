import type { Page } from '@playwright/test';
import { layoutShifts, open } from './browser.ts';
import { address } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

/** Longer than the hover time after which a link is prefetched. */
const HOVER_MS = 120;

/** Delays responses of matching addresses. */
async function slow(page: Page, matching: string | RegExp, delay: number) {
  await page.route(matching, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delay));
    await route.continue();
  });
}

test(
  'fonts that arrive after the first paint shift nothing',
  EACH_LOCALE,
  async ({ page, locale }) => {
    await slow(page, '**/*.woff2', 500);
    await open(page, address(locale, '/invest/saudi-suku-bonds'));
    const sheets = () => page.evaluate(() => document.styleSheets.length);
    const before = await sheets();
    // Delays some style sheets of hovered links' pages, so that they arrive out of order.
    await slow(page, /\/assets\/[a-f][\w-]*\.css$/i, 300);
    await page.evaluate(async (dwell) => {
      for (const link of document.querySelectorAll('footer a[href^="/"]')) {
        link.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve, dwell));
      }
    }, HOVER_MS);
    await expect.poll(sheets, { timeout: 10_000 }).toBeGreaterThan(before + 3);
    await page.waitForTimeout(1000);
    expect(await layoutShifts(page)).toEqual([]);
  },
);
