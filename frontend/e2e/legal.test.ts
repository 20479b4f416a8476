import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hydrated, launch, newContext } from './browser.ts';
import { address, LOCALE_IDS } from './site.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

describe.each(LOCALE_IDS)('legal texts in %s', (locale) => {
  test('every entry of the contents leads to its heading', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.goto(address(locale, '/terms-and-conditions/disclaimer'));
    await hydrated(page);
    const entries = page.locator('main nav a[href^="#part-"]');
    const hrefs = await entries.evaluateAll((links) =>
      links.map((one) => one.getAttribute('href')),
    );
    expect(hrefs.length).toBeGreaterThan(5);
    for (const href of hrefs) expect(await page.locator(`main h2${href}`).count()).toBe(1);
    await entries.last().click();
    expect(await page.locator(`h2${hrefs.at(-1)}`).isVisible()).toBe(true);
    expect(new URL(page.url()).hash).toBe(hrefs.at(-1));
    await context.close();
  });

  test.each([
    ['25', 'disclaimer'],
    ['26', 'privacy-policy'],
    ['27', 'service-agreement'],
  ])('%s and %s are one page, also below about', async (id, slug) => {
    const titles = [];
    for (const path of [`/terms-and-conditions/${id}`, `/about/${slug}`]) {
      const html = await (await fetch(address(locale, path))).text();
      expect(html).toContain(`/${locale}/terms-and-conditions/${slug}"`);
      expect(/<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]).toMatch(
        new RegExp(`/${locale}/terms-and-conditions/${slug}$`),
      );
      titles.push(/<h1[^>]*>([^<]*)/.exec(html)?.[1]);
    }
    expect(new Set(titles).size).toBe(1);
  });

  test('the places of about are where header and footer lead to', async () => {
    const context = await newContext(browser);
    const page = await context.newPage();
    await page.goto(address(locale, '/about'));
    await hydrated(page);
    const hashes = await page
      .locator(`[data-chrome] a[href^="/${locale}/about#"]`)
      .evaluateAll((links) => links.map((one) => (one as HTMLAnchorElement).hash));
    expect(hashes.length).toBeGreaterThanOrEqual(3);
    for (const hash of hashes) expect(await page.locator(`main ${hash}`).count()).toBe(1);
    await context.close();
  });
});
