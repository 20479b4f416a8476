import type { Page } from '@playwright/test';
import { hydrated, open, waitForPageId } from './browser.ts';
import { address } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

test.use({
  failsOnPageErrors: true,
  permissions: ['clipboard-read', 'clipboard-write'],
});

/** Opens the newest article of a list. */
async function openNewest(page: Page, locale: 'en-us' | 'ar-sa') {
  await open(page, address(locale, '/news'));
  const link = page.locator(`main a[href^="/${locale}/news/content/"]`).last();
  await open(page, new URL((await link.getAttribute('href')) ?? '', page.url()).href);
}

test.describe('the news', EACH_LOCALE, () => {
  test('show flash news and videos, and banners that lead to articles', async ({
    page,
    locale,
  }) => {
    await open(page, address(locale, '/news'));
    expect(await page.locator('section[aria-labelledby="news-flash"] li').count()).toBeGreaterThan(
      2,
    );
    expect(await page.locator('main video').count()).toBeGreaterThan(0);
    for (const poster of await page
      .locator('main video')
      .evaluateAll((all) => all.map((video) => (video as HTMLVideoElement).poster))) {
      expect((await page.request.get(poster)).status()).toBe(200);
    }
  });

  test('an announcement lists others of its market', async ({ page, locale }) => {
    const path = `/${locale}/news/-notice/9001`;
    await open(page, address(locale, '/news/-notice/9001'));
    const links = page.locator('section[aria-labelledby="announcements"] a');
    const hrefs = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(hrefs.length).toBeGreaterThan(0);
    expect(hrefs).not.toContain(path);
    expect(hrefs).not.toContain(`/${locale}/news/-notice/9005`);
  });

  test('keep their length and scroll position after Back and a reload', async ({
    page,
    locale,
  }) => {
    // Smooth scrolling would change the position meanwhile.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page, address(locale, '/news'));
    const links = page.locator('main ul a[href*="/news/content/"]');
    const before = await links.count();
    await page.locator('main a[href*="cursor="]').click();
    await expect.poll(() => links.count()).toBeGreaterThan(before);
    const grown = await links.count();
    // A click first scrolls to its link.
    await page.evaluate(() =>
      document.addEventListener('click', () => {
        document.body.dataset.scrollY = String(window.scrollY);
      }),
    );
    await links.last().click();
    await waitForPageId(page, 'news-content');
    const scrollY = Number(await page.locator('body').getAttribute('data-scroll-y'));
    expect(scrollY).toBeGreaterThan(300);
    await page.goBack();
    await waitForPageId(page, 'news');
    expect(await links.count()).toBe(grown);
    const offset = async () => Math.abs((await page.evaluate(() => window.scrollY)) - scrollY);
    await expect.poll(offset).toBeLessThan(5);
    await page.reload();
    await hydrated(page);
    await expect.poll(() => links.count()).toBe(grown);
    await expect.poll(offset).toBeLessThan(5);
  });

  test('grow by a link that is a page without scripts', async ({ page, locale }) => {
    await open(page, address(locale, '/news'));
    const link = page.locator('main a[href*="cursor="]');
    const older = (await link.getAttribute('href')) ?? '';
    const before = await page.locator('main ul a[href*="/news/content/"]').count();
    await link.click();
    await page.waitForFunction(
      (count) => document.querySelectorAll('main ul a[href*="/news/content/"]').length > count,
      before,
    );
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toContain(
      '/news/content/',
    );
    await open(page, new URL(older, page.url()).href);
    expect(await page.locator('main article').count()).toBeGreaterThan(1);
    expect(await page.locator('main video').count()).toBe(0);
  });
});

test.describe('unread counts', () => {
  test('appear at the other tabs from the second visit on, and disappear once a tab is shown', async ({
    page,
  }) => {
    let requests = 0;
    await page.route('**/api/news/tab/unread', (route) => {
      requests += 1;
      const items = [1, 2, 3].map((id) => ({ id: String(id), marketType: 'us', count: 120 }));
      const data = { code: 10_000_000, msg: '', error: '', errorHK: '', data: { items } };
      return route.fulfill({ json: data });
    });
    await open(page, address('en-us', '/news'));
    expect(requests).toBe(0);
    await page.reload();
    await hydrated(page);
    const badges = page.locator('main nav [data-live]');
    await badges.first().waitFor();
    expect(requests).toBe(1);
    expect(await badges.count()).toBe(2);
    expect(await badges.first().textContent()).toContain('99+');
    await page.locator('main nav a[href="/en-us/news/us"]').click();
    await waitForPageId(page, 'news-us');
    await page.waitForFunction(
      () => document.querySelectorAll('main nav [data-live]').length === 1,
    );
    expect(requests).toBe(1);
  });
});

test.describe('an article', () => {
  test('can be liked and unliked', async ({ page }) => {
    await openNewest(page, 'en-us');
    const button = page.locator('main button[aria-pressed]');
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('/like/list')),
    );
    for (const liked of ['true', 'false']) {
      const operated = page.waitForResponse('**/api/news/like/operate');
      await button.click();
      const { data } = (await (await operated).json()) as { data: { liked: boolean } };
      expect(String(data.liked)).toBe(liked);
      expect(await button.getAttribute('aria-pressed')).toBe(liked);
    }
  });

  test('shows the previous state if a like fails', async ({ page }) => {
    await page.route('**/api/news/like/operate', (route) =>
      route.fulfill({
        json: { code: 503, msg: 'away', error: 'unavailable', errorHK: 'away', data: null },
      }),
    );
    await openNewest(page, 'en-us');
    const button = page.locator('main button[aria-pressed]');
    const before = await button.textContent();
    const operated = page.waitForResponse('**/api/news/like/operate');
    await button.click();
    await operated;
    await page.waitForFunction(() => document.querySelector('main button[aria-pressed="false"]'));
    expect(await button.textContent()).toBe(before);
  });

  test('is shared with campaign and origin, by link and by channel', async ({ page }) => {
    await openNewest(page, 'en-us');
    const canonical = await page.locator('link[rel="canonical"]').getAttribute('href');
    await page.locator('main button[aria-haspopup="dialog"]').click();
    const dialog = page.locator('dialog[open]');
    await dialog.waitFor();
    const link = await dialog.locator('input').inputValue();
    expect(link).toBe(`${canonical}?_pid=sahm_web&_scnl=1110621`);
    await dialog.locator('button', { hasText: 'Copy link' }).click();
    await page.waitForFunction(() => navigator.clipboard.readText().then(Boolean));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    const channels = await dialog
      .locator('a')
      .evaluateAll((all) => all.map((channel) => (channel as HTMLAnchorElement).href));
    const campaigns = channels.map((href) => /_scnl%3D(\d+)/.exec(href)?.[1]);
    expect(campaigns).toEqual(['1110621', '1110619', '1110620', '1110621', '1110621']);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('shares the origin that brought the visitor', async ({ page }) => {
    await open(page, `${address('en-us', '/news')}?_pid=friend7&_scnl=1110999`);
    await openNewest(page, 'en-us');
    await page.locator('main button[aria-haspopup="dialog"]').click();
    const link = page.locator('dialog[open] input');
    expect(await link.inputValue()).toContain('_pid=friend7&_scnl=1110621');
  });

  test('is shared by the app inside the app', async ({ page }) => {
    await page.addInitScript(() => {
      const posted: unknown[] = [];
      Object.assign(window, {
        posted,
        SahmApp: {
          postMessage(text: string) {
            const message = JSON.parse(text) as { id: number; method: string };
            posted.push(message);
            const detail = { id: message.id, ok: true };
            queueMicrotask(() => window.dispatchEvent(new CustomEvent('sahm:native', { detail })));
          },
        },
      });
    });
    await openNewest(page, 'en-us');
    await page.locator('main button[aria-haspopup="dialog"]').click();
    await page.waitForFunction(() =>
      (window as unknown as { posted: { method: string }[] }).posted.some(
        ({ method }) => method === 'share',
      ),
    );
    expect(await page.locator('dialog[open]').count()).toBe(0);
  });
});

test.describe('a translation', () => {
  const article = {
    id: '9',
    locale: 'en-us',
    title: 'Translated title',
    summary: 'Translated summary',
    bodyHtml: '<p>Read <a href="/pricing">the fees</a>.</p>',
  };

  /** Opens an article, with its response changed to an article that exists only in Arabic. */
  async function openForeign(page: Page) {
    await page.route('**/_data/en-us/news/content/*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as {
        document: { article: object; otherLanguage: boolean; machineTranslation: boolean };
      };
      body.document.otherLanguage = true;
      body.document.machineTranslation = true;
      Object.assign(body.document.article, { locale: 'ar-sa', sign: 'old' });
      await route.fulfill({ json: body });
    });
    await open(page, address('en-us', '/news'));
    await page.locator('main article a').first().click();
    await waitForPageId(page, 'news-content');
  }

  const envelope = (code: number, data: unknown) => ({
    json: { code, msg: '', error: '', errorHK: '', data },
  });

  test('by a machine shows a note until it is dismissed, and switches back to the original', async ({
    page,
  }) => {
    await page.route('**/api/news/content/translate', (route) =>
      route.fulfill(envelope(10_000_000, { id: '9', article, machineTranslated: true, text: '' })),
    );
    await openForeign(page);
    const original = await page.locator('h1').textContent();
    expect(await page.locator('h1').getAttribute('lang')).toBe('ar-SA');
    await page.locator('button', { hasText: 'Translate' }).click();
    await page.waitForFunction(() =>
      document.querySelector('h1')?.textContent?.includes('Translated'),
    );
    expect(await page.locator('h1').getAttribute('lang')).toBeNull();
    expect(await page.locator('main a', { hasText: 'the fees' }).getAttribute('href')).toBe(
      '/en-us/pricing',
    );
    await page.locator('button', { hasText: 'Got it' }).click();
    expect(await page.locator('button', { hasText: 'Got it' }).count()).toBe(0);
    await page.locator('button', { hasText: 'Show the original' }).click();
    expect(await page.locator('h1').textContent()).toBe(original);
  });

  test('is requested again with a new signature if the old one has expired', async ({ page }) => {
    const signs: (string | null)[] = [];
    await page.route('**/api/news/content/translate', (route) => {
      const sign = new URLSearchParams(route.request().postData() ?? '').get('sign');
      signs.push(sign);
      const text = 'Sorry, this article is only available in one language.';
      return route.fulfill(
        sign === 'old' ? envelope(10_030_001, null) : envelope(10_000_000, { id: '9', text }),
      );
    });
    await page.route('**/api/news/content/detail', (route) =>
      route.fulfill(envelope(10_000_000, { article: { ...article, sign: 'new' } })),
    );
    await openForeign(page);
    await page.locator('button', { hasText: 'Translate' }).click();
    await page.locator('[role="status"]', { hasText: 'No translation is available.' }).waitFor();
    // The note about the article's only language appears once.
    expect(await page.getByText('only available in one language').count()).toBe(1);
    expect(signs).toEqual(['old', 'new']);
  });
});
