import type { Page } from '@playwright/test';
import { DEVICES, hydrated, open } from './browser.ts';
import { address, origin } from './site.ts';
import { expect, test } from './test.ts';

const STORE = 'https://play.google.com/**';

test.use(DEVICES.phone);

test.beforeEach(({ context }) =>
  context.route(STORE, (route) => route.fulfill({ body: 'the store' })),
);

const state = (page: Page) => page.locator('main [role="status"]');

for (const path of ['/app-deep-link/landing', '/app-deep-link/marketing/landing'])
  test.describe(`${path}`, () => {
    test('opens the target at once, and the store after 2000 ms without the app', async ({
      page,
    }) => {
      const begun = Date.now();
      await page.goto(address('en-us', `${path}?link=${encodeURIComponent('sahm://quotes/2222')}`));
      await state(page).getByText('Opening the app.').waitFor();
      await page.waitForURL(STORE);
      expect(Date.now() - begun).toBeGreaterThanOrEqual(2_000);
    });

    for (const link of ['javascript:alert(1)', '//evil.example', 'https://evil.example/a'])
      test(`ignores the target ${link}`, async ({ page }) => {
        await page.goto(address('en-us', `${path}?link=${encodeURIComponent(link)}`));
        await hydrated(page);
        expect(await state(page).textContent()).toBe('');
        const hrefs = await page
          .locator('main a')
          .evaluateAll((links) => links.map((one) => one.getAttribute('href') ?? ''));
        expect(hrefs.filter((href) => /evil|javascript/.test(href))).toEqual([]);
      });
  });

test.describe('inside another app', () => {
  test.use({ userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) MicroMessenger/8.0.49' });

  test('shows the guide and launches nothing by itself', async ({ page }) => {
    await page.clock.install();
    const url = address('en-us', '/app-deep-link/landing?link=sahm%3A%2F%2Fquotes%2F2222');
    await page.goto(url);
    const guide = page.getByRole('dialog', { name: 'Open this page in your browser' });
    await guide.waitFor();
    await page.clock.fastForward(5_000);
    expect(page.url()).toBe(url);
    expect(await guide.isVisible()).toBe(true);
    expect(await page.locator('main [role="status"]').textContent()).toBe('');
  });
});

test('leaving the page while it waits shows that the app is open', async ({ page }) => {
  await open(page, address('en-us', '/app-deep-link/landing'));
  await page.locator('main a', { hasText: 'Open the app' }).click();
  await state(page).getByText('Opening the app.').waitFor();
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await state(page).getByText('The app is open.').waitFor();
  expect(page.url()).toContain('/app-deep-link/landing');
});

test('a page of the site can be read in the browser instead', async ({ page }) => {
  await page.goto(address('ar-sa', '/app-deep-link/landing?target=/ar-sa/news'));
  const link = page.locator('main a', { hasText: 'تابع في المتصفح' });
  expect(await link.getAttribute('href')).toBe(`${new URL(origin()).origin}/ar-sa/news`);
});

test('a page on a white-listed host can be read in the browser instead', async ({ page }) => {
  const links = new Map([
    ['https://app.listed.example/a?b=c', true],
    ['http://listed.example/', true],
    ['https://unlisted.example/', false],
  ]);
  for (const [target, isListed] of links) {
    const query = `?target=${encodeURIComponent(target)}`;
    await open(page, `${address('en-us', '/app-deep-link/landing')}${query}`);
    const hrefs = await page
      .locator('main a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    expect(hrefs.includes(target), target).toBe(isListed);
  }
});

test('the visitor’s own store is marked', async ({ page }) => {
  await open(page, address('en-us', '/download'));
  const marked = page.locator('main a[data-yours]');
  expect(await marked.count()).toBe(1);
  expect(await marked.textContent()).toContain('Google Play');
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, userAgent: undefined, ...DEVICES.pc });

  test('the button, the stores and the code are links and pictures', async ({ page }) => {
    await page.goto(address('en-us', '/app-deep-link/landing'));
    const open = page.locator('main a', { hasText: 'Open the app' });
    expect(await open.getAttribute('href')).toMatch(/^https:|\/en-us\/download$/);
    expect(await page.locator('main ul a[href^="https://"]').count()).toBe(3);
    expect(await page.locator('main svg[role="img"]').isVisible()).toBe(true);
  });
});
