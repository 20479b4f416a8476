import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hydrated, launch, newContext, type View } from './browser.ts';
import { actAs, MEMBERS } from './member.ts';
import { address } from './site.ts';

let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());
afterEach(() => context.close());

async function open(path: string, view: View = {}) {
  context = await newContext(browser, { reducedMotion: 'reduce', ...view });
  page = await context.newPage();
  await page.goto(address('en-us', path));
  await hydrated(page);
}

const header = () => page.locator('[data-chrome="header"]');
const overflow = () => page.evaluate(() => getComputedStyle(document.documentElement).overflow);
const scrollTo = (y: number) =>
  page.evaluate((top) => window.scrollTo({ top, behavior: 'instant' }), y);

describe('the header', () => {
  test('of home is dark until it is scrolled past the viewport less 100 px', async () => {
    await open('/');
    const tone = () => header().getAttribute('data-tone');
    expect(await tone()).toBe('night');
    await scrollTo(900 - 100);
    expect(await tone()).toBe('night');
    await scrollTo(900 - 100 + 1);
    await expect.poll(tone).toBe('page');
  });

  test('has the college beneath education, its last hot course last and by itself', async () => {
    await open('/news');
    const education = header().locator('details', { hasText: 'Education' }).first();
    await education.locator('summary').click();
    const links = education.locator('a');
    expect(await links.count()).toBeGreaterThan(3);
    const last = links.last();
    expect(await last.getAttribute('href')).toBe(
      '/en-us/education/course/sahm-research-center/6?pageFrom=2',
    );
    expect(await last.textContent()).toContain('Hot');
  });

  test('leads to free stocks with the theme, and to trading in a new tab', async () => {
    await open('/news');
    const free = header().locator('nav a[href*="/activity/seed"]').first();
    expect(await free.getAttribute('href')).toMatch(/^\/en-us\/activity\/seed\?theme=\d+$/);
    expect(await free.textContent()).toContain('Hot');
    const trading = header().locator('nav a[href^="https://trade"]').first();
    expect(await trading.textContent()).toContain('New');
    expect(await trading.getAttribute('target')).toBe('_blank');
  });
});

test('the theme follows the system while a page is open, in the app it stays', async () => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await open('/news');
  await page.waitForLoadState('networkidle');
  const light = await paper();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(theme).toBe('dark');
  expect(await paper()).not.toBe(light);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(theme).toBe('light');
  expect(await paper()).toBe(light);
  await context.close();

  await open('/news', { userAgent: 'SahmApp/9 Android' });
  await page.waitForLoadState('networkidle');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect([await theme(), await paper()]).toEqual(['light', light]);
});

test('a theme that changed before the page was opened is followed at once', async () => {
  context = await newContext(browser, { scheme: 'dark' });
  page = await context.newPage();
  // As it was when the document was asked for.
  await page.setExtraHTTPHeaders({ 'sec-ch-prefers-color-scheme': 'light' });
  await page.goto(address('en-us', '/news'));
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
});

test('the language switch is remembered for addresses without prefix', async () => {
  await open('/news');
  await header().locator('a[hreflang="ar-SA"]:visible').first().click();
  await page.waitForURL('**/ar-sa/news');
  const kept = (await context.cookies()).find(({ name }) => name === 'lang');
  expect(kept?.value).toBe('ar-sa');
  await page.goto(new URL('/news', address('en-us', '/')).href);
  expect(await page.locator('html').getAttribute('lang')).toBe('ar-SA');
});

describe('the menu of a phone', () => {
  const sheet = () => header().locator('dialog[aria-label="Menu"]');
  const opened = () => sheet().locator('nav details[open] > summary').allTextContents();

  test('has one section open, closes on a link, and holds the page still', async () => {
    await open('/news', { device: 'phone' });
    await header().locator('button[aria-haspopup="dialog"]').click();
    expect(await overflow()).toBe('hidden');
    const sections = sheet().locator('nav details > summary');
    await sections.nth(0).click();
    expect(await opened()).toHaveLength(1);
    await sections.nth(1).click();
    expect(await opened()).toEqual([await sections.nth(1).textContent()]);
    await sections.nth(1).click();
    expect(await opened()).toEqual([]);
    await sections.nth(0).click();
    await sheet().locator('nav details[open] a[href="/en-us/invest/us-etfs"]').click();
    await page.waitForFunction(() => document.documentElement.dataset.page === 'invest-us-etfs');
    expect(await sheet().evaluate((dialog: HTMLDialogElement) => dialog.open)).toBe(false);
    expect(await overflow()).not.toBe('hidden');
  });

  test.each([
    ['a visitor', undefined, { out: 0, mine: 0, tadawul: 0, login: 1 }],
    ['one without an account', MEMBERS.unopened, { out: 1, mine: 0, tadawul: 0, login: 0 }],
    ['one without Saudi stocks', MEMBERS.opened, { out: 1, mine: 1, tadawul: 0, login: 0 }],
    ['one with a Saudi account', MEMBERS.saudi, { out: 1, mine: 1, tadawul: 1, login: 0 }],
  ])('of %s has what is theirs', async (_, account, expected) => {
    context = await newContext(browser, { device: 'phone' });
    if (account) await actAs(context, account);
    page = await context.newPage();
    await page.goto(address('en-us', '/news'));
    const count = (name: string) => sheet().getByText(name, { exact: true }).count();
    expect({
      out: await count('Log Out'),
      mine: await count('My Account'),
      tadawul: await count('Register Tadawul'),
      login: await count('Sign up / Log in'),
    }).toEqual(expected);
  });

  test('takes 400 ms to close', async () => {
    await open('/news', { device: 'phone', reducedMotion: 'no-preference' });
    const duration = await sheet().evaluate((dialog) => {
      const { transitionProperty, transitionDuration } = getComputedStyle(dialog);
      return transitionDuration.split(', ')[transitionProperty.split(', ').indexOf('translate')];
    });
    expect(duration).toBe('0.4s');
  });
});

describe('the footer', () => {
  const exposures = () => {
    const seen: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (request.url().endsWith('/event-report/report') && body.includes('footer_exposure')) {
        seen.push(body);
      }
    });
    return seen;
  };

  test('tells of its first exposure, once', async () => {
    await open('/news');
    const seen = exposures();
    await page.locator('[data-chrome="footer"]').scrollIntoViewIfNeeded();
    await expect.poll(() => seen.length).toBe(1);
    const form = new URLSearchParams(seen[0]);
    expect(form.get('sellClient')).toBe('10');
    expect(JSON.parse(form.get('eventValue') ?? '')).toEqual({ page: 'news' });
    await scrollTo(0);
    await page.locator('main a[href="/en-us/news/us"]:visible').first().click();
    await page.waitForFunction(() => document.documentElement.dataset.page === 'news-us');
    await page.locator('[data-chrome="footer"]').scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    expect(seen).toHaveLength(1);
  });

  test('of a phone has one column open', async () => {
    await open('/news', { device: 'phone' });
    const columns = page.locator('[data-chrome="footer"] details > summary');
    await columns.nth(0).click();
    await columns.nth(2).click();
    const openNow = page.locator('[data-chrome="footer"] details[open] > summary');
    expect(await openNow.allTextContents()).toEqual([await columns.nth(2).textContent()]);
  });
});

describe('customer service', () => {
  const place = () => page.locator('[data-chrome="customer-service"]');
  const popup = () => place().locator('[popover]');

  test('opens and closes by its button, and by a press outside', async () => {
    await open('/news');
    const button = place().locator('button').first();
    await button.click();
    expect(await popup().isVisible()).toBe(true);
    expect(await overflow()).not.toBe('hidden');
    await button.click();
    await popup().waitFor({ state: 'hidden' });
    await button.click();
    await page.mouse.click(300, 300);
    await popup().waitFor({ state: 'hidden' });
  });

  test('holds the page of a phone still', async () => {
    await open('/news', { device: 'phone' });
    await place().locator('button').first().click();
    expect(await popup().isVisible()).toBe(true);
    expect(await overflow()).toBe('hidden');
  });
});

describe.each([
  [768, false],
  [769, true],
])('a window of %d px is a PC’s: %s', (width, isPc) => {
  test('in footer and customer service; its root size is 20 px', async () => {
    await open('/news', { viewport: { width, height: 900 } });
    const footer = page.locator('[data-chrome="footer"]');
    expect(await footer.locator('details').first().isVisible()).toBe(!isPc);
    expect(await footer.locator('h2').first().isVisible()).toBe(isPc);
    await page.locator('[data-chrome="customer-service"] button').first().click();
    await page.locator('[data-chrome="customer-service"] [popover]').waitFor();
    expect(await overflow()).toBe(isPc ? 'visible' : 'hidden');
    const root = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
    expect(root).toBe('20px');
  });
});

test('back to top appears past the viewport less 400 px', async () => {
  await open('/news');
  const button = page.locator('[data-chrome="back-to-top"]');
  await scrollTo(900 - 400);
  expect(await button.isVisible()).toBe(false);
  await scrollTo(900 - 400 + 1);
  await button.waitFor();
  await button.click();
  await page.waitForFunction(() => window.scrollY === 0);
  await button.waitFor({ state: 'hidden' });
});

test.each([
  [undefined, 'green'],
  ['0', 'red'],
  ['1', 'green'],
  ['x', 'green'],
])('the colour of rises with cookie %s is %s', async (value, rise) => {
  context = await newContext(browser);
  page = await context.newPage();
  const url = address('en-us', '/news');
  if (value) await context.addCookies([{ name: 'hs_h5_colorType', value, url }]);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => document.body !== null);
  expect(await page.locator('html').getAttribute('data-rise')).toBe(rise);
});

describe('inside another app', () => {
  const WECHAT =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.49';

  test('a guide leads out of it, until the reader stays', async () => {
    const plain = await (
      await fetch(address('en-us', '/news'), { headers: { 'user-agent': WECHAT } })
    ).text();
    expect(plain).not.toContain('Open this page in your browser');
    context = await browser.newContext({
      userAgent: WECHAT,
      viewport: { width: 390, height: 844 },
    });
    page = await context.newPage();
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

  test('its link is selected where copying is not allowed', async () => {
    context = await newContext(browser, { device: 'phone', userAgent: WECHAT });
    page = await context.newPage();
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

  test('our own app is told the title, and shows its own chrome', async () => {
    context = await browser.newContext({
      userAgent: 'Mozilla/5.0 (iPhone) SahmApp/5.1 Theme/dark',
      viewport: { width: 390, height: 844 },
    });
    page = await context.newPage();
    await page.addInitScript(() => {
      const told: unknown[] = [];
      Object.assign(window, {
        told,
        SahmApp: { postMessage: (message: string) => told.push(JSON.parse(message)) },
      });
    });
    await page.goto(address('en-us', '/news'));
    await hydrated(page);
    const told = () =>
      page.evaluate(
        () => (window as unknown as { told: { method: string; params: object }[] }).told,
      );
    await expect.poll(async () => (await told()).map(({ method }) => method)).toContain('title');
    expect((await told())[0]?.params).toEqual({ title: await page.title() });
    expect(await header().count()).toBe(0);
    expect(await page.locator('[data-chrome="app-footer"]').count()).toBe(1);
  });
});

describe('the heatmap', () => {
  const leave = async (path: string) => {
    await open(path);
    const seen: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (body.includes('eventName=heatmap')) seen.push(body);
    });
    await page.waitForLoadState('networkidle');
    await page.mouse.click(700, 500);
    await header().locator('nav a[href="/en-us/support"]').first().click();
    await page.waitForFunction(() => document.documentElement.dataset.page === 'support');
    await page.waitForLoadState('networkidle');
    return seen;
  };

  test('counts on news', async () => {
    const [body = ''] = await leave('/news');
    const value = JSON.parse(new URLSearchParams(body).get('eventValue') ?? '{}') as {
      page: string;
      clicks: string;
    };
    expect(value.page).toBe('news');
    expect(value.clicks.split(',').reduce((sum, count) => sum + Number(count), 0)).toBeGreaterThan(
      0,
    );
  });

  test('does not count on brand', async () => {
    expect(await leave('/brand')).toEqual([]);
  });
});
