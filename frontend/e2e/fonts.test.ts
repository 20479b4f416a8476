import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hydrated, launch, layoutShifts, newContext } from './browser.ts';
import { address, LOCALE_IDS } from './site.ts';

/** Longer than a pointer dwells on a link that it passes over. */
const HOVER_MS = 120;

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

/** Answers what matches only after so many milliseconds. */
async function slow(page: Page, matching: string | RegExp, delay: number) {
  await page.route(matching, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, delay));
    await route.continue();
  });
}

test.each(LOCALE_IDS)('fonts too late for the first paint move nothing: %s', async (locale) => {
  const context = await newContext(browser);
  const page = await context.newPage();
  await slow(page, '**/*.woff2', 500);
  await page.goto(address(locale, '/invest/saudi-suku-bonds'));
  await hydrated(page);
  const sheets = () => page.evaluate(() => document.styleSheets.length);
  const before = await sheets();
  // Of the sheets that come with hovered links' pages, earlier ones come behind later ones.
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
  await context.close();
});
