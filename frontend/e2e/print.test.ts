import { open } from './browser.ts';
import { address } from './site.ts';
import { expect, test } from './test.ts';

for (const path of ['/pricing', '/news', '/terms-and-conditions/disclaimer'])
  test(`${path} is printed without layout parts`, async ({ page }) => {
    await open(page, address('en-us', path));
    const header = page.locator('[data-chrome="header"]');
    expect(await header.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('[data-chrome]').count()).toBeGreaterThan(2);
    expect(await page.locator('[data-chrome]:visible').count()).toBe(0);
    expect(await page.locator('h1').isVisible()).toBe(true);
  });
