import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hydrated, launch, newContext } from './browser.ts';
import { address } from './site.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

test.each(['/pricing', '/news', '/terms-and-conditions/disclaimer'])(
  '%s is printed without the chrome around it',
  async (path) => {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.goto(address('en-us', path));
    await hydrated(page);
    const header = page.locator('[data-chrome="header"]');
    expect(await header.isVisible()).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('[data-chrome]').count()).toBeGreaterThan(2);
    expect(await page.locator('[data-chrome]:visible').count()).toBe(0);
    expect(await page.locator('h1').isVisible()).toBe(true);
    await context.close();
  },
);
