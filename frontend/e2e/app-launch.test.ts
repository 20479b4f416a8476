import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hydrated, launch, newContext } from './browser.ts';
import { address, origin } from './site.ts';

const STORE = 'https://play.google.com/**';

let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

beforeEach(async () => {
  context = await newContext(browser, { device: 'phone' });
  await context.route(STORE, (route) => route.fulfill({ body: 'the store' }));
  page = await context.newPage();
});

afterEach(() => context.close());

const state = () => page.locator('main [role="status"]');

describe.each(['/app-deep-link/landing', '/app-deep-link/marketing/landing'])('%s', (path) => {
  test('a target is opened at once; after 2000 ms without the app comes the store', async () => {
    const begun = Date.now();
    await page.goto(address('en-us', `${path}?link=${encodeURIComponent('sahm://quotes/2222')}`));
    await state().getByText('Opening the app.').waitFor();
    await page.waitForURL(STORE);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(2_000);
  });

  test.each(['javascript:alert(1)', '//evil.example', 'https://evil.example/a'])(
    'the target %s is ignored',
    async (link) => {
      await page.goto(address('en-us', `${path}?link=${encodeURIComponent(link)}`));
      await hydrated(page);
      expect(await state().textContent()).toBe('');
      const hrefs = await page
        .locator('main a')
        .evaluateAll((links) => links.map((one) => one.getAttribute('href') ?? ''));
      expect(hrefs.filter((href) => /evil|javascript/.test(href))).toEqual([]);
    },
  );
});

test('inside another app the guide leads out first: nothing is launched by itself', async () => {
  const wechat = await newContext(browser, {
    device: 'phone',
    userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) MicroMessenger/8.0.49',
  });
  await wechat.route(STORE, (route) => route.fulfill({ body: 'the store' }));
  const inside = await wechat.newPage();
  await inside.clock.install();
  const url = address('en-us', '/app-deep-link/landing?link=sahm%3A%2F%2Fquotes%2F2222');
  await inside.goto(url);
  const guide = inside.getByRole('dialog', { name: 'Open this page in your browser' });
  await guide.waitFor();
  await inside.clock.fastForward(5_000);
  expect(inside.url()).toBe(url);
  expect(await guide.isVisible()).toBe(true);
  expect(await inside.locator('main [role="status"]').textContent()).toBe('');
  await wechat.close();
});

test('a page that is left while waiting means that the app is open', async () => {
  await page.goto(address('en-us', '/app-deep-link/landing'));
  await hydrated(page);
  await page.locator('main a', { hasText: 'Open the app' }).click();
  await state().getByText('Opening the app.').waitFor();
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await state().getByText('The app is open.').waitFor();
  expect(page.url()).toContain('/app-deep-link/landing');
});

test('a page of the site can be read in the browser instead', async () => {
  await page.goto(address('ar-sa', '/app-deep-link/landing?target=/ar-sa/news'));
  const link = page.locator('main a', { hasText: 'تابع في المتصفح' });
  expect(await link.getAttribute('href')).toBe(`${new URL(origin()).origin}/ar-sa/news`);
});

test('a page on a white-listed host can be read in the browser instead', async () => {
  const links = new Map([
    ['https://app.listed.example/a?b=c', true],
    ['http://listed.example/', true],
    ['https://unlisted.example/', false],
  ]);
  for (const [target, isListed] of links) {
    const query = `?target=${encodeURIComponent(target)}`;
    await page.goto(`${address('en-us', '/app-deep-link/landing')}${query}`);
    await hydrated(page);
    const hrefs = await page
      .locator('main a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(hrefs.includes(target), target).toBe(isListed);
  }
});

test('the visitor’s own store is marked', async () => {
  await page.goto(address('en-us', '/download'));
  await hydrated(page);
  const marked = page.locator('main a[data-yours]');
  expect(await marked.count()).toBe(1);
  expect(await marked.textContent()).toContain('Google Play');
});

test('without scripts the button, the stores and the code are links and pictures', async () => {
  const plain = await newContext(browser, { javaScriptEnabled: false });
  const off = await plain.newPage();
  await off.goto(address('en-us', '/app-deep-link/landing'));
  const open = off.locator('main a', { hasText: 'Open the app' });
  expect(await open.getAttribute('href')).toMatch(/^https:|\/en-us\/download$/);
  expect(await off.locator('main ul a[href^="https://"]').count()).toBe(3);
  expect(await off.locator('main svg[role="img"]').isVisible()).toBe(true);
  await plain.close();
});
