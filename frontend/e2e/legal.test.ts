import { DEVICES, open } from './browser.ts';
import { address } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

test.describe('legal texts', EACH_LOCALE, () => {
  test('every entry of the contents links to its heading', async ({ page, locale }) => {
    await open(page, address(locale, '/terms-and-conditions/disclaimer'));
    const entries = page.locator('main nav a[href^="#part-"]');
    const hrefs = await entries.evaluateAll((links) =>
      links.map((one) => one.getAttribute('href')),
    );
    expect(hrefs.length).toBeGreaterThan(5);
    for (const href of hrefs) expect(await page.locator(`main h2${href}`).count()).toBe(1);
    await entries.last().click();
    expect(await page.locator(`h2${hrefs.at(-1)}`).isVisible()).toBe(true);
    expect(new URL(page.url()).hash).toBe(hrefs.at(-1));
  });

  for (const [id, slug] of [
    ['25', 'disclaimer'],
    ['26', 'privacy-policy'],
    ['27', 'service-agreement'],
  ] as const)
    test(`${id} and ${slug} are the same page, also below about`, async ({ locale }) => {
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

  test('the tab of the shown text is in view on a phone', async ({ browser, locale }) => {
    const visit = await browser.newContext(DEVICES.phone);
    const page = await visit.newPage();
    await open(page, address(locale, '/terms-and-conditions/service-agreement'));
    await expect(page.locator('main a[aria-current="page"]')).toBeInViewport({ ratio: 1 });
    await visit.close();
  });

  test('header and footer link to sections of about', async ({ page, locale }) => {
    await open(page, address(locale, '/about'));
    const hashes = await page
      .locator(`[data-chrome] a[href^="/${locale}/about#"]`)
      .evaluateAll((links) => links.map((one) => (one as HTMLAnchorElement).hash));
    expect(hashes.length).toBeGreaterThanOrEqual(3);
    for (const hash of hashes) expect(await page.locator(`main ${hash}`).count()).toBe(1);
  });
});
