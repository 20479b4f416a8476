import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hydrated, launch, newContext } from './browser.ts';
import { address, LOCALE_IDS, targets } from './site.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

/** The words of `main` in order; times are written differently once scripts run, prices move. */
function words(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const main = document.querySelector('main')?.cloneNode(true) as HTMLElement;
    const changing = 'time, noscript, [role="status"], [data-live]';
    for (const node of main.querySelectorAll(changing)) node.remove();
    return (main.textContent ?? '').split(/\s+/).filter((word) => word !== '');
  });
}

for (const locale of LOCALE_IDS) {
  const pages = await targets(locale);
  describe(`without scripts, ${locale}`, () => {
    test.each(pages)('$name is complete', async ({ path }) => {
      const off = await newContext(browser, { javaScriptEnabled: false });
      const on = await newContext(browser);
      const [plain, full] = [await off.newPage(), await on.newPage()];
      await Promise.all([plain.goto(address(locale, path)), full.goto(address(locale, path))]);
      await hydrated(full);
      const read = await words(plain);
      expect(read.length).toBeGreaterThan(3);
      expect(read).toEqual(await words(full));
      expect(await plain.locator('h1').isVisible()).toBe(true);
      await Promise.all([off.close(), on.close()]);
    });

    test('a menu opens and its links are real', async () => {
      const context = await newContext(browser, { javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(address(locale, '/'));
      const menu = page.locator('[data-chrome="header"] nav details').first();
      await menu.locator('summary').click();
      const link = menu.locator('a').first();
      expect(await link.isVisible()).toBe(true);
      expect(await link.getAttribute('href')).toMatch(new RegExp(`^/${locale}/`));
      await context.close();
    });
  });
}
