import { open } from './browser.ts';
import { address, origin } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

// deploy/with-site.sh imports e2e/drafts.
const TITLES = {
  'en-us': 'What a trading halt is, and what it leaves open',
  'ar-sa': 'ما معنى تعليق التداول، وما الذي يبقى مفتوحًا',
};
const DRAFTS = [
  ['news-990001', '/news/content/990001'],
  ['college-article-990002', '/education/article/reading-an-order-book'],
  ['help-document-990003', '/support/detail/change-my-phone-number'],
  ['legal-document-990004', '/terms-and-conditions/complaints-policy'],
] as const;

const textOf = async (url: string) => (await fetch(url)).text();

test.describe('drafts', EACH_LOCALE, () => {
  test('are shown in their pages’ layouts below a note', async ({ page, pageErrors, locale }) => {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/(news|college)\//.test(request.url())) calls.push(request.url());
    });
    await open(page, address(locale, '/preview/drafts'));
    expect(await page.locator('h1').textContent()).toBe(TITLES[locale]);
    expect(await page.title()).toContain(TITLES[locale]);
    expect(await page.locator('[data-chrome]').count()).toBe(0);

    const note = page.locator('main > section').first();
    const links = note.locator('nav a');
    expect(await links.count()).toBe(DRAFTS.length);
    expect(await links.first().getAttribute('aria-current')).toBe('page');
    // Likes and sharing appear with lazily loaded code, and not in previews.
    const buttons = page.locator('article button');
    await expect.poll(() => buttons.first().isDisabled()).toBe(true);
    for (const button of await buttons.all()) expect(await button.isDisabled()).toBe(true);

    for (const [at, [id]] of DRAFTS.entries()) {
      const title = (await links.nth(at).textContent()) ?? '';
      await links.nth(at).click();
      await page.waitForURL((url) => url.searchParams.get('draft') === id);
      await page.waitForFunction(
        (text) => document.querySelector('h1')?.textContent === text,
        title,
      );
      await expect.poll(() => links.nth(at).getAttribute('aria-current')).toBe('page');
    }
    expect(calls).toEqual([]);
    expect(pageErrors).toEqual([]);
  });

  test('are not cached and not indexed', async ({ locale }) => {
    for (const path of [
      '/preview/drafts',
      '/preview/drafts?draft=news-990001',
      '/preview/no-drafts',
    ]) {
      for (const url of [address(locale, path), `${origin()}/_data/${locale}${path}`]) {
        for (let again = 0; again < 2; again++) {
          const answer = await fetch(url);
          expect(answer.status).toBe(200);
          expect(answer.headers.get('cache-control')).toBe('no-store');
          expect(answer.headers.get('x-page-cache')).toBe('bypass');
          expect(answer.headers.get('etag')).toBeNull();
        }
      }
      expect(await textOf(address(locale, path))).toContain(
        '<meta name="robots" content="noindex">',
      );
    }
  });

  test('appear on no other page', async ({ locale }) => {
    for (const [id, path] of DRAFTS) {
      expect((await fetch(address(locale, path))).status, path).toBe(404);
      const other = `/preview/no-drafts?draft=${id}`;
      expect((await fetch(address(locale, other))).status, other).toBe(404);
    }
    const word = { 'en-us': 'trading halt', 'ar-sa': 'تعليق التداول' }[locale];
    const pages = ['/news', '/news/saudi', '/', '/education', '/support', '/terms-and-conditions'];
    pages.push(`/support/search?keyword=${encodeURIComponent(word)}`);
    for (const path of pages) {
      expect(await textOf(address(locale, path)), path).not.toMatch(/99000[1-4]/);
    }
  });

  test('of unsupported types or without a type are not found', async ({ locale }) => {
    for (const path of ['/preview', '/preview/secret', '/preview/drafts/more', '/preview/Drafts']) {
      expect((await fetch(address(locale, path))).status, path).toBe(404);
    }
  });

  test('show an empty state if they do not exist', async ({ locale }) => {
    const html = await textOf(address(locale, '/preview/no-drafts'));
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).toContain('sahm-content import --draft');
  });
});

test('drafts are in no sitemap', async () => {
  const index = await textOf(`${origin()}/sitemap.xml`);
  const parts = [...index.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url ?? '');
  expect(parts.length).toBeGreaterThan(0);
  for (const part of parts) {
    const listed = await textOf(`${origin()}${new URL(part).pathname}`);
    expect(listed).not.toMatch(/preview|99000[1-4]|reading-an-order-book|complaints-policy/);
  }
});
