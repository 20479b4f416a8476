import type { Page } from '@playwright/test';
import { hydrated, open, waitForPageId } from './browser.ts';
import { actAs, MEMBERS } from './member.ts';
import { address, origin } from './site.ts';
import { test as base, EACH_LOCALE, expect } from './test.ts';

const test = base.extend<{ loads: string[] }>({
  /** Addresses of the requested documents. */
  loads: async ({ page }, use) => {
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(request.url());
    });
    await use(loads);
  },
});

/** Opens a page and waits for the error page's code, which is loaded last. */
async function openWithErrorPage(page: Page, url: string) {
  await open(page, url);
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /ErrorPage-/.test(name)),
  );
  await page.waitForLoadState('networkidle');
}

const missing = (page: Page, file: string) =>
  page.route(new RegExp(`/assets/${file}-[^/]*\\.js$`), (route) => route.fulfill({ status: 404 }));
const toUs = (page: Page) => page.locator('main a[href$="/news/us"]:visible').first().click();
const switchTo = (page: Page) => page.locator('[data-chrome="header"] a[hreflang]:visible').first();

const TEXTS = {
  'en-us': {
    offline: 'Oops!, Network error! please try later.',
    away: 'Unable to connect to server. Please try again later.',
    home: 'Go to the home page',
  },
  'ar-sa': {
    offline: 'عذرًا، تعذّر الاتصال بالشبكة. يُرجى المحاولة لاحقًا.',
    away: 'تعذّر الاتصال بالخادم. يُرجى المحاولة لاحقًا.',
    home: 'انتقل إلى الصفحة الرئيسية',
  },
};

test.describe('a page that cannot be loaded', EACH_LOCALE, () => {
  test('shows the reason and a link home, and loads once the network is back', async ({
    page,
    context,
    locale,
  }) => {
    await openWithErrorPage(page, address(locale, '/news'));
    const heading = () => page.locator('h1').textContent();
    const { offline, away, home } = TEXTS[locale];

    await page.route('**/_data/**', (route) => route.abort());
    await toUs(page);
    await waitForPageId(page, 'error');
    expect(await heading()).toBe(away);
    expect(await page.title()).toBe(away);

    await context.setOffline(true);
    await expect.poll(heading).toBe(offline);
    expect(await page.locator('[data-status="error-network"]').count()).toBe(1);
    await expect.poll(() => page.title()).toBe(offline);
    const link = page.locator('main a', { hasText: home });
    expect(await link.getAttribute('href')).toBe(`/${locale}`);

    await page.unroute('**/_data/**');
    await context.setOffline(false);
    await waitForPageId(page, 'news-us');
    expect(await heading()).not.toBe(away);
    expect(page.url()).toBe(address(locale, '/news/us'));
  });
});

test.describe('the error page rendered in the browser', () => {
  test('keeps the member, and the address in language switch and login', async ({
    page,
    context,
  }) => {
    await actAs(context, MEMBERS.opened);
    await page.route('**/passport/member/check', (route) => route.abort());
    await openWithErrorPage(page, address('en-us', '/news'));
    await page.route('**/_data/**', (route) => route.abort());
    await toUs(page);
    await waitForPageId(page, 'error');
    expect(await switchTo(page).getAttribute('href')).toBe('/ar-sa/news/us');
    const menu = page.locator('[data-chrome="header"] details', { hasText: 'Log Out' });
    expect(await menu.count()).toBe(1);
  });
});

test.describe('the not-found page', () => {
  test('of an unmatched address keeps the address in language switch and login once hydrated', async ({
    page,
  }) => {
    const path = '/no-such-page/a%20b';
    await open(page, `${address('en-us', path)}?x=1`);
    await expect.poll(() => switchTo(page).getAttribute('href')).toBe(`/ar-sa${path}?x=1`);
    const login = page.locator('[data-chrome="header"] a[href*="SahmWebsite_login"]').first();
    const url = new URL((await login.getAttribute('href')) ?? '', origin());
    expect(url.searchParams.get('target')).toBe(`/en-us${path}?x=1`);
  });

  test('of a missing lesson links to the college, in the app too', async () => {
    for (const [agent, path] of [
      ['Mozilla/5.0 (X11; Linux x86_64)', '/en-us/education/article/no-such-lesson'],
      ['SahmApp/9', '/feature/college/article/detail?articleId=no-such-lesson&lang=en-US'],
    ] as const) {
      const answer = await fetch(`${origin()}${path}`, { headers: { 'user-agent': agent } });
      expect(answer.status, path).toBe(404);
      expect(await answer.text(), path).toMatch(/<main[\s\S]*href="\/en-us\/education"/);
    }
  });

  test('shows another picture in the app', async () => {
    const art = async (agent: string) => {
      const answer = await fetch(address('en-us', '/no-such-page'), {
        headers: { 'user-agent': agent },
      });
      expect(answer.status).toBe(404);
      const html = await answer.text();
      return /<main[\s\S]*?<svg[\s\S]*?<\/svg>/.exec(html)?.[0].replace(/^[\s\S]*<svg/, '<svg');
    };
    const [desktop, app] = [await art('Mozilla/5.0 (X11; Linux x86_64)'), await art('SahmApp/9')];
    expect(desktop).toContain('<path');
    expect(app).toContain('<path');
    expect(app).not.toBe(desktop);
  });
});

test.describe('a script that cannot be loaded', () => {
  for (const file of ['site', 'react', 'news.page', 'messages-en-us-common', 'messages-en-us-news'])
    test(`of ${file} reloads the document once, which stays readable`, async ({ page, loads }) => {
      await missing(page, file);
      await page.goto(address('en-us', '/news'));
      await expect.poll(() => loads.length).toBe(2);
      await page.waitForLoadState('networkidle');
      expect(loads).toHaveLength(2);
      expect(await page.locator('h1').isVisible()).toBe(true);
      expect(await page.locator('html').getAttribute('data-hydrated')).toBeNull();
    });

  for (const [file, kind] of [
    ['boot', 'js'],
    ['site', 'js'],
    ['react', 'js'],
    ['common', 'js'],
    ['products', 'js'],
    ['home.page', 'js'],
    ['messages-en-us-common', 'js'],
    ['messages-en-us-home', 'js'],
    ['Fees', 'js'],
    ['site', 'css'],
    ['common', 'css'],
    ['home', 'css'],
    ['alexandria-latin', 'woff2'],
  ] as const)
    test(`home works after one failed request for ${file}.${kind}`, async ({ page, loads }) => {
      let requests = 0;
      await page.route(new RegExp(`/assets/${file}-[^/]*\\.${kind}$`), (route) => {
        requests += 1;
        return requests === 1 ? route.fulfill({ status: 404 }) : route.continue();
      });
      await page.goto(address('en-us', '/'));
      // Text is readable without its font, so fonts are not requested again.
      if (kind !== 'woff2') {
        await expect.poll(() => requests, { timeout: 15_000 }).toBeGreaterThan(1);
      }
      // The styles and the script are loaded, with or without a reload.
      const sheets = () =>
        page.evaluate(() =>
          [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(
            ({ sheet }) => sheet?.cssRules.length ?? 0,
          ),
        );
      await expect
        .poll(async () => Math.min(...(await sheets().catch(() => [0]))))
        .toBeGreaterThan(0);
      await hydrated(page);
      await page.waitForLoadState('networkidle');
      expect(loads.length).toBeLessThanOrEqual(2);
      expect(await page.locator('h1').isVisible()).toBe(true);
      expect(await page.locator('html').getAttribute('data-rise')).toBe('green');
    });

  for (const file of ['site', 'news.page'])
    test(`${file} of a shell shows a message on the page`, async ({ page, loads }) => {
      await missing(page, file);
      const url = address('ar-sa', '/news');
      // The shell that the gateway sends when no renderer responds (docs/pages.md).
      await page.route(url, async (route) => {
        const answer = await route.fetch();
        const root =
          '<main id="main" data-shell><h1>x</h1><p hidden>y <a href="/ar-sa">z</a></p></main>';
        const html = await answer.text();
        const body = html.replace(
          /<div id="root">[\s\S]*<\/div>(?=\s*<script)/,
          `<div id="root">${root}</div>`,
        );
        await route.fulfill({ response: answer, body });
      });
      await page.goto(url);
      await page.locator('main[data-shell] a').waitFor();
      expect(loads).toHaveLength(2);
    });

  test('of the router makes links load documents', async ({ page, loads }) => {
    await missing(page, 'Router');
    await open(page, address('en-us', '/news'));
    await toUs(page);
    await waitForPageId(page, 'news-us');
    await hydrated(page);
    expect(loads).toHaveLength(2);
  });

  test('needed by a click reloads the page once, then shows a message', async ({
    page,
    loads,
    context,
  }) => {
    await actAs(context, MEMBERS.saudi);
    await openWithErrorPage(page, address('en-us', '/news'));
    await missing(page, 'tadawul');
    const press = async () => {
      await page.locator('[data-chrome="header"] details summary', { hasText: 'Account' }).click();
      await page.locator('[data-chrome="header"]').getByText('Register Tadawul').first().click();
    };
    await press();
    await expect.poll(() => loads.length).toBe(2);
    await hydrated(page);
    await page.waitForLoadState('networkidle');
    await press();
    await page
      .getByRole('status')
      .getByText('Service maintenance in progress, please try again later.')
      .waitFor();
    expect(loads).toHaveLength(2);
  });

  test('of the error page leaves its text and the link home', async ({ page }) => {
    await page.addInitScript(() => sessionStorage.setItem('sahm-chunk-reload', String(Date.now())));
    await missing(page, 'ErrorPage');
    await missing(page, 'ArticlePage');
    await open(page, address('en-us', '/news'));
    await page.locator('main a[href^="/en-us/news/content/"]').first().click();
    await page
      .getByRole('alert')
      .getByText('Service maintenance in progress, please try again later.')
      .waitFor();
    await page.locator('main a', { hasText: 'Sahm' }).click();
    await page.waitForURL(address('en-us', '/'));
    await hydrated(page);
  });
});
