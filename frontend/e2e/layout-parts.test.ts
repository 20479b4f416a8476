import type { Page } from '@playwright/test';
import { DEVICES, hydrated, open, waitForPageId } from './browser.ts';
import { actAs, MEMBERS } from './member.ts';
import { address } from './site.ts';
import { expect, test } from './test.ts';

test.use({ reducedMotion: 'reduce' });

const header = (page: Page) => page.locator('[data-chrome="header"]');
const overflow = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).overflow);
const paper = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);
const scrollTo = (page: Page, y: number) =>
  page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), y);

test.describe('the header', () => {
  test('of home is dark until it is scrolled past the viewport less 100 px', async ({ page }) => {
    await open(page, address('en-us', '/'));
    const tone = () => header(page).getAttribute('data-tone');
    expect(await tone()).toBe('night');
    await scrollTo(page, 900 - 100);
    expect(await tone()).toBe('night');
    await scrollTo(page, 900 - 100 + 1);
    await expect.poll(tone).toBe('page');
  });

  test('of home is dark at the top of a window lower than 100 px', async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 80 });
    await open(page, address('en-us', '/'));
    expect(await header(page).getAttribute('data-tone')).toBe('night');
  });

  test('has the college below education, with the last hot course last and separate', async ({
    page,
  }) => {
    await open(page, address('en-us', '/news'));
    const education = header(page).locator('details', { hasText: 'Education' }).first();
    await education.locator('summary').click();
    const links = education.locator('a');
    expect(await links.count()).toBeGreaterThan(3);
    const last = links.last();
    expect(await last.getAttribute('href')).toBe(
      '/en-us/education/course/sahm-research-center/6?pageFrom=2',
    );
    expect(await last.textContent()).toContain('Hot');
  });

  test('links to free stocks with the theme and to trading in a new tab', async ({ page }) => {
    await open(page, address('en-us', '/news'));
    const free = header(page).locator('nav a[href*="/activity/seed"]').first();
    expect(await free.getAttribute('href')).toMatch(/^\/en-us\/activity\/seed\?theme=\d+$/);
    expect(await free.textContent()).toContain('Hot');
    const trading = header(page).locator('nav a[href^="https://trade"]').first();
    expect(await trading.textContent()).toContain('New');
    expect(await trading.getAttribute('target')).toBe('_blank');
  });
});

test('the theme follows the system while a page is open', async ({ page }) => {
  await open(page, address('en-us', '/news'));
  await page.waitForLoadState('networkidle');
  const light = await paper(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => theme(page)).toBe('dark');
  expect(await paper(page)).not.toBe(light);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => theme(page)).toBe('light');
  expect(await paper(page)).toBe(light);
});

test.describe('in the app', () => {
  test.use({ userAgent: 'SahmApp/9 Android' });

  test('the theme stays when the system’s changes', async ({ page }) => {
    await open(page, address('en-us', '/news'));
    await page.waitForLoadState('networkidle');
    const before = await paper(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect([await theme(page), await paper(page)]).toEqual(['light', before]);
  });
});

test('the theme applies at once if it changed before the page was opened', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  // The theme at the time of the document's request.
  await page.setExtraHTTPHeaders({ 'sec-ch-prefers-color-scheme': 'light' });
  await page.goto(address('en-us', '/news'));
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
});

test('the language switch is remembered for addresses without prefix', async ({
  page,
  context,
}) => {
  await open(page, address('en-us', '/news'));
  await header(page).locator('a[hreflang="ar-SA"]:visible').first().click();
  await page.waitForURL('**/ar-sa/news');
  const language = (await context.cookies()).find(({ name }) => name === 'lang');
  expect(language?.value).toBe('ar-sa');
  await page.goto(new URL('/news', address('en-us', '/')).href);
  expect(await page.locator('html').getAttribute('lang')).toBe('ar-SA');
});

test.describe('the menu of a phone', () => {
  test.use(DEVICES.phone);

  const sheet = (page: Page) => header(page).locator('dialog[aria-label="Menu"]');
  const opened = (page: Page) =>
    sheet(page).locator('nav details[open] > summary').allTextContents();

  test('has one open section, closes on a link and prevents the page from scrolling', async ({
    page,
  }) => {
    await open(page, address('en-us', '/news'));
    await header(page).locator('button[aria-haspopup="dialog"]').click();
    expect(await overflow(page)).toBe('hidden');
    const sections = sheet(page).locator('nav details > summary');
    await sections.nth(0).click();
    expect(await opened(page)).toHaveLength(1);
    await sections.nth(1).click();
    expect(await opened(page)).toEqual([await sections.nth(1).textContent()]);
    await sections.nth(1).click();
    expect(await opened(page)).toEqual([]);
    await sections.nth(0).click();
    await sheet(page).locator('nav details[open] a[href="/en-us/invest/us-etfs"]').click();
    await waitForPageId(page, 'invest-us-etfs');
    expect(await sheet(page).evaluate((dialog: HTMLDialogElement) => dialog.open)).toBe(false);
    expect(await overflow(page)).not.toBe('hidden');
  });

  for (const [name, account, expected] of [
    ['a visitor', undefined, { out: 0, mine: 0, tadawul: 0, login: 1 }],
    ['one without an account', MEMBERS.unopened, { out: 1, mine: 0, tadawul: 0, login: 0 }],
    ['one without Saudi stocks', MEMBERS.opened, { out: 1, mine: 1, tadawul: 0, login: 0 }],
    ['one with a Saudi account', MEMBERS.saudi, { out: 1, mine: 1, tadawul: 1, login: 0 }],
  ] as const)
    test(`of ${name} has their entries`, async ({ page, context }) => {
      if (account) await actAs(context, account);
      await page.goto(address('en-us', '/news'));
      const count = (name: string) => sheet(page).getByText(name, { exact: true }).count();
      expect({
        out: await count('Log Out'),
        mine: await count('My Account'),
        tadawul: await count('Register Tadawul'),
        login: await count('Sign up / Log in'),
      }).toEqual(expected);
    });

  test('takes 400 ms to close', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await open(page, address('en-us', '/news'));
    const duration = await sheet(page).evaluate((dialog) => {
      const { transitionProperty, transitionDuration } = getComputedStyle(dialog);
      return transitionDuration.split(', ')[transitionProperty.split(', ').indexOf('translate')];
    });
    expect(duration).toBe('0.4s');
  });
});

test.describe('the footer', () => {
  const exposures = (page: Page) => {
    const seen: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (request.url().endsWith('/event-report/report') && body.includes('footer_exposure')) {
        seen.push(body);
      }
    });
    return seen;
  };

  test('reports its first exposure once', async ({ page }) => {
    await open(page, address('en-us', '/news'));
    const seen = exposures(page);
    await page.locator('[data-chrome="footer"]').scrollIntoViewIfNeeded();
    await expect.poll(() => seen.length).toBe(1);
    const form = new URLSearchParams(seen[0]);
    expect(form.get('sellClient')).toBe('10');
    expect(JSON.parse(form.get('eventValue') ?? '')).toEqual({ page: 'news' });
    await scrollTo(page, 0);
    await page.locator('main a[href="/en-us/news/us"]:visible').first().click();
    await waitForPageId(page, 'news-us');
    await page.locator('[data-chrome="footer"]').scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    expect(seen).toHaveLength(1);
  });

  test.describe('of a phone', () => {
    test.use(DEVICES.phone);

    test('has one open column', async ({ page }) => {
      await open(page, address('en-us', '/news'));
      const columns = page.locator('[data-chrome="footer"] details > summary');
      await columns.nth(0).click();
      await columns.nth(2).click();
      const openNow = page.locator('[data-chrome="footer"] details[open] > summary');
      expect(await openNow.allTextContents()).toEqual([await columns.nth(2).textContent()]);
    });
  });
});

test.describe('customer service', () => {
  const customerService = (page: Page) => page.locator('[data-chrome="customer-service"]');
  const popup = (page: Page) => customerService(page).locator('[popover]');

  test('opens and closes by its button and by a click outside', async ({ page }) => {
    await open(page, address('en-us', '/news'));
    const button = customerService(page).locator('button').first();
    await button.click();
    expect(await popup(page).isVisible()).toBe(true);
    expect(await overflow(page)).not.toBe('hidden');
    await button.click();
    await popup(page).waitFor({ state: 'hidden' });
    await button.click();
    await page.mouse.click(300, 300);
    await popup(page).waitFor({ state: 'hidden' });
  });

  test.describe('on a phone', () => {
    test.use(DEVICES.phone);

    test('prevents the page from scrolling', async ({ page }) => {
      await open(page, address('en-us', '/news'));
      await customerService(page).locator('button').first().click();
      expect(await popup(page).isVisible()).toBe(true);
      expect(await overflow(page)).toBe('hidden');
    });
  });
});

for (const [width, isPc] of [
  [768, false],
  [769, true],
] as const)
  test.describe(`a window of ${width} px has the layout of a PC: ${isPc}`, () => {
    test('in footer and customer service; its root size is 20 px', async ({ page }) => {
      await page.setViewportSize({ width, height: 900 });
      await open(page, address('en-us', '/news'));
      const footer = page.locator('[data-chrome="footer"]');
      expect(await footer.locator('details').first().isVisible()).toBe(!isPc);
      expect(await footer.locator('h2').first().isVisible()).toBe(isPc);
      await page.locator('[data-chrome="customer-service"] button').first().click();
      await page.locator('[data-chrome="customer-service"] [popover]').waitFor();
      expect(await overflow(page)).toBe(isPc ? 'visible' : 'hidden');
      const root = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
      expect(root).toBe('20px');
    });
  });

test('back to top appears past the viewport less 400 px', async ({ page }) => {
  await open(page, address('en-us', '/news'));
  const button = page.locator('[data-chrome="back-to-top"]');
  await scrollTo(page, 900 - 400);
  expect(await button.isVisible()).toBe(false);
  await scrollTo(page, 900 - 400 + 1);
  await button.waitFor();
  await button.click();
  await page.waitForFunction(() => window.scrollY === 0);
  await button.waitFor({ state: 'hidden' });
});

for (const [value, rise] of [
  [undefined, 'green'],
  ['0', 'red'],
  ['1', 'green'],
  ['x', 'green'],
] as const)
  test(`the colour of rises with cookie ${value} is ${rise}`, async ({ page, context }) => {
    const url = address('en-us', '/news');
    if (value) await context.addCookies([{ name: 'hs_h5_colorType', value, url }]);
    await page.goto(url, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.body !== null);
    expect(await page.locator('html').getAttribute('data-rise')).toBe(rise);
  });

test.describe('inside another app', () => {
  const WECHAT =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49';
  test.use({ userAgent: WECHAT, viewport: DEVICES.phone.viewport });

  test('shows the guide to the browser until it is dismissed', async ({ page }) => {
    const plain = await (
      await fetch(address('en-us', '/news'), { headers: { 'user-agent': WECHAT } })
    ).text();
    expect(plain).not.toContain('Open this page in your browser');
    await page.goto(address('en-us', '/news'));
    const guide = page.getByRole('dialog', { name: 'Open this page in your browser' });
    await guide.waitFor();
    await guide.getByRole('button', { name: 'Stay here' }).click();
    await guide.waitFor({ state: 'hidden' });
    await page.reload();
    await hydrated(page);
    await page.waitForLoadState('networkidle');
    expect(await guide.count()).toBe(0);
  });

  test('selects the link if copying is not allowed', async ({ page }) => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'clipboard', { value: undefined }),
    );
    await page.goto(address('en-us', '/news?x=1'));
    const guide = page.getByRole('dialog', { name: 'Open this page in your browser' });
    await guide.getByRole('button', { name: 'Copy link' }).click();
    await guide.getByText('The browser did not allow copying.').waitFor();
    const selected = await page.evaluate(() => {
      const field = document.activeElement as HTMLInputElement;
      return field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0);
    });
    expect(selected).toBe(address('en-us', '/news?x=1'));
  });
});

test.describe('inside our own app', () => {
  test.use({
    userAgent: 'Mozilla/5.0 (iPhone) SahmApp/5.1 Theme/dark',
    viewport: DEVICES.phone.viewport,
  });

  test('passes the title to the app and shows only the app’s footer', async ({ page }) => {
    await page.addInitScript(() => {
      const calls: unknown[] = [];
      Object.assign(window, {
        calls,
        SahmApp: { postMessage: (message: string) => calls.push(JSON.parse(message)) },
      });
    });
    await open(page, address('en-us', '/news'));
    const calls = () =>
      page.evaluate(
        () => (window as unknown as { calls: { method: string; params: object }[] }).calls,
      );
    await expect.poll(async () => (await calls()).map(({ method }) => method)).toContain('title');
    expect((await calls())[0]?.params).toEqual({ title: await page.title() });
    expect(await header(page).count()).toBe(0);
    expect(await page.locator('[data-chrome="app-footer"]').count()).toBe(1);
  });
});

test.describe('the heatmap', () => {
  const heatmapsSentFrom = async (page: Page, path: string) => {
    await open(page, address('en-us', path));
    const seen: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (body.includes('eventName=heatmap')) seen.push(body);
    });
    await page.waitForLoadState('networkidle');
    await page.mouse.click(700, 500);
    await header(page).locator('nav a[href="/en-us/support"]').first().click();
    await waitForPageId(page, 'support');
    await page.waitForLoadState('networkidle');
    return seen;
  };

  test('counts on news', async ({ page }) => {
    const [body = ''] = await heatmapsSentFrom(page, '/news');
    const value = JSON.parse(new URLSearchParams(body).get('eventValue') ?? '{}') as {
      page: string;
      clicks: string;
    };
    expect(value.page).toBe('news');
    expect(value.clicks.split(',').reduce((sum, count) => sum + Number(count), 0)).toBeGreaterThan(
      0,
    );
  });

  test('does not count on brand', async ({ page }) => {
    expect(await heatmapsSentFrom(page, '/brand')).toEqual([]);
  });
});
