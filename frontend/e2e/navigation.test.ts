import type { Page } from '@playwright/test';
import { hydrated, open, waitForPageId } from './browser.ts';
import { address, origin } from './site.ts';
import { expect, test } from './test.ts';

async function openMarked(page: Page, url: string) {
  await open(page, url);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
}

const sameDocument = (page: Page) => page.evaluate(() => 'sameDocument' in window);
const inMain = (page: Page, href: string) => page.locator(`main a[href="${href}"]:visible`).first();

test.describe('a client navigation', () => {
  test('updates page, head and focus without loading a document', async ({ page, pageErrors }) => {
    await openMarked(page, address('en-us', '/news'));
    await inMain(page, '/en-us/news/us').click();
    await page.waitForURL('**/en-us/news/us');
    await waitForPageId(page, 'news-us');

    expect(await sameDocument(page)).toBe(true);
    const plain = await (await fetch(address('en-us', '/news/us'))).text();
    const title = /<title>([^<]*)<\/title>/.exec(plain)?.[1];
    expect(await page.title()).toBe(title);
    const head = (selector: string, name: string) =>
      page.locator(`head ${selector}`).getAttribute(name);
    expect(await head('link[rel="canonical"]', 'href')).toBe(
      /<link rel="canonical" href="([^"]*)"/.exec(plain)?.[1],
    );
    expect(await page.locator('head link[rel="alternate"][hreflang]').count()).toBe(3);
    expect(await page.locator('html').getAttribute('data-layout')).toBe('app');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    expect(await page.locator('#sahm-announcer').textContent()).toBe(title);
    expect(pageErrors).toEqual([]);
  });

  test('starts at the top, and Back restores the scroll position', async ({ page, pageErrors }) => {
    await openMarked(page, address('en-us', '/news'));
    const article = page.locator('main a[href^="/en-us/news/content/"]').last();
    await article.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => window.scrollY);
    await article.click();
    await waitForPageId(page, 'news-content');
    await page.waitForFunction(() => window.scrollY === 0);
    await page.goBack();
    await waitForPageId(page, 'news');
    await page.waitForFunction((top) => Math.abs(window.scrollY - top) < 2, before);
    expect(await sameDocument(page)).toBe(true);
    expect(pageErrors).toEqual([]);
  });

  test('does not change where in-page links, Back and Forward scroll', async ({ page }) => {
    await openMarked(page, address('en-us', '/news'));
    const article = page.locator('main a[href^="/en-us/news/content/"]').last();
    await article.scrollIntoViewIfNeeded();
    const saved = await page.evaluate(() => window.scrollY);
    await article.click();
    await waitForPageId(page, 'news-content');
    await page.waitForFunction(() => window.scrollY === 0);

    const { before, target } = await page.evaluate(() => {
      const paragraphs = document.querySelectorAll('main p');
      const paragraph = paragraphs[Math.floor(paragraphs.length / 2)];
      if (!paragraph) throw new Error('no paragraph');
      paragraph.id = 'target';
      paragraph.scrollIntoView({ behavior: 'instant' });
      const top = window.scrollY;
      window.scrollTo({ top: 40, behavior: 'instant' });
      return { before: window.scrollY, target: top };
    });
    for (const other of [0, before, saved]) expect(Math.abs(target - other)).toBeGreaterThan(10);
    const scrolledTo = (top: number) =>
      page.waitForFunction((top) => Math.abs(window.scrollY - top) < 2, top);
    await page.locator('a[href="#main"]').evaluate((link: HTMLAnchorElement) => {
      link.href = '#target';
      link.click();
    });
    await page.waitForURL('**#target');
    await scrolledTo(target);
    await page.goBack();
    await scrolledTo(before);
    await page.goForward();
    await scrolledTo(target);
    expect(await sameDocument(page)).toBe(true);
  });

  test('to a missing article shows the not-found page', async ({ page }) => {
    await openMarked(page, address('en-us', '/news'));
    await inMain(page, '/en-us/news/us').evaluate((link: HTMLAnchorElement) => {
      link.href = '/en-us/news/content/999999999';
      link.click();
    });
    await waitForPageId(page, 'not-found');
    expect(await sameDocument(page)).toBe(true);
    expect(await page.locator('meta[name="robots"]').getAttribute('content')).toContain('noindex');
  });

  test('loads a document if another build responds', async ({ page }) => {
    await page.route('**/_data/**', (route) => route.fulfill({ status: 409 }));
    await openMarked(page, address('en-us', '/news'));
    await inMain(page, '/en-us/news/us').click();
    await page.waitForURL('**/en-us/news/us');
    await hydrated(page);
    expect(await sameDocument(page)).toBe(false);
  });

  test('loads the target as a document if the server redirects', async ({ page }) => {
    await page.route('**/_data/en-us/news/us', (route) =>
      route.fulfill({ json: { redirect: '/en-us/news/saudi' } }),
    );
    await openMarked(page, address('en-us', '/news'));
    await inMain(page, '/en-us/news/us').click();
    await page.waitForURL('**/en-us/news/saudi');
    await hydrated(page);
    expect(await sameDocument(page)).toBe(false);
  });

  test('shows and announces an indicator while it is slow', async ({ page, pageErrors }) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/_data/en-us/news/us', async (route) => {
      await released;
      await route.continue();
    });
    await openMarked(page, address('en-us', '/news'));
    await inMain(page, '/en-us/news/us').click();
    const bar = () =>
      page.evaluate(() => getComputedStyle(document.documentElement, '::before').content);
    const said = () => page.locator('#sahm-announcer').textContent();
    expect(await bar()).toBe('none');
    await expect.poll(bar).toBe('""');
    expect(await said()).toBe('The page is loading.');
    release();
    await waitForPageId(page, 'news-us');
    await expect.poll(bar).toBe('none');
    expect(await said()).toBe(await page.title());
    expect(pageErrors).toEqual([]);
  });

  test('without a network shows the error page, and Back works', async ({ page }) => {
    await openMarked(page, address('en-us', '/news'));
    // The error page's code is loaded when the browser is idle.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /ErrorPage-/.test(name)),
    );
    await page.route('**/_data/**', (route) => route.abort('internetdisconnected'));
    await inMain(page, '/en-us/news/us').click();
    await waitForPageId(page, 'error');
    expect(await page.locator('h1').count()).toBe(1);
    expect(await sameDocument(page)).toBe(true);
    await page.unroute('**/_data/**');
    await page.goBack();
    await waitForPageId(page, 'news');
  });

  test('loads a document once if its code is missing', async ({ page }) => {
    await page.route(/\/assets\/ArticlePage-/, (route) => route.fulfill({ status: 404 }));
    await openMarked(page, address('en-us', '/news'));
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest()) loads.push(request.url());
    });
    await page.locator('main a[href^="/en-us/news/content/"]').first().click();
    await page.waitForURL('**/news/content/**');
    // The document's own code is missing too: it does not reload again and stays readable.
    await page.waitForLoadState('load');
    await page.locator('h1').waitFor();
    expect(loads.length).toBe(1);
  });
});

test('the style sheets of a page are fetched once, by the document', async ({
  page,
  pageErrors,
}) => {
  await openMarked(page, address('en-us', '/news'));
  await page.waitForLoadState('networkidle');
  const [linked, fetched] = await page.evaluate(() => [
    [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].map(
      ({ href }) => href,
    ),
    performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.css')),
  ]);
  expect(fetched.length).toBeGreaterThan(1);
  expect([...fetched].sort()).toEqual([...linked].sort());
  expect(pageErrors).toEqual([]);
});

test.describe('a link', () => {
  test('with a modifier, of the other language or marked as a document is left to the browser', async ({
    page,
    context,
  }) => {
    await openMarked(page, address('en-us', '/news'));
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      inMain(page, '/en-us/news/us').click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.waitForURL('**/en-us/news/us');
    expect(page.url()).toBe(address('en-us', '/news'));
  });

  test('is prefetched when hovered', async ({ page }) => {
    await openMarked(page, address('en-us', '/news'));
    const fetched = page.waitForRequest('**/_data/en-us/news/saudi');
    await inMain(page, '/en-us/news/saudi').hover();
    const request = await fetched;
    expect(await request.headerValue('x-build')).toBeTruthy();
    await (await request.response())?.finished();
    let again = false;
    page.on('request', (request) => {
      again ||= request.url().includes('/_data/en-us/news/saudi');
    });
    await inMain(page, '/en-us/news/saudi').click();
    await waitForPageId(page, 'news-saudi');
    expect(again).toBe(false);
  });
});

test.describe('an address', () => {
  test('without prefix, with unknown query and hash, stays unchanged after hydration', async ({
    page,
    pageErrors,
  }) => {
    await openMarked(page, `${origin()}/news?utm_source=x#main`);
    expect(page.url()).toBe(`${origin()}/news?utm_source=x#main`);
    expect(await page.locator('html').getAttribute('data-page')).toBe('news');
    expect(pageErrors).toEqual([]);
  });

  test('keeps query and hash in the language switch, except the language', async ({ page }) => {
    await openMarked(page, `${address('en-us', '/news')}?utm_source=x&_lang=en#main`);
    const link = page.locator('[data-chrome="header"] a[hreflang="ar-SA"]:visible').first();
    await page.waitForFunction(() =>
      document.querySelector('a[hreflang="ar-SA"]')?.getAttribute('href')?.includes('utm_source'),
    );
    expect(await link.getAttribute('href')).toBe('/ar-sa/news?utm_source=x#main');
    await link.click();
    await page.waitForURL('**/ar-sa/news?utm_source=x#main');
    await hydrated(page);
    expect(await sameDocument(page)).toBe(false);
    expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  });
});
