import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Device, hydrated, launch, newContext } from './browser.ts';
import { actAs, logIn, MEMBERS } from './member.ts';
import { address } from './site.ts';

let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());
afterEach(() => context.close());

async function open(account: string | undefined, device: Device = 'pc', path = '/news') {
  context = await newContext(browser, { device });
  if (account) await actAs(context, account);
  page = await context.newPage();
  await page.goto(address('en-us', path));
  await hydrated(page);
}

/** As config has it for development (services/config/seed). */
const ACCOUNT = 'https://account-feature.sahm.example/?sceneFrom=SahmWebsite_myAccount&lang=en-US';

const header = () => page.locator('[data-chrome="header"]');
const menu = () => header().locator('details', { hasText: 'Log Out' });
const entries = async () => {
  await menu().locator('summary').click();
  return menu()
    .locator('ul > li')
    .evaluateAll((items) =>
      items.map((item) => (item.querySelector('a, button') ?? item).textContent),
    );
};

describe('the account menu', () => {
  test('of a member with a Saudi account', async () => {
    await open(MEMBERS.saudi);
    expect(await entries()).toEqual([
      'Sahm ID SA-10000007',
      'My Account',
      'Register Tadawul',
      'Log Out',
    ]);
    const mine = await menu().getByText('My Account').getAttribute('href');
    expect(mine).toBe(ACCOUNT);
    const plain = await (await context.request.get(address('en-us', '/news'))).text();
    expect(plain).toContain(`href="${ACCOUNT.replace('&', '&amp;')}"`);
    expect(await header().getByText('Open Account').count()).toBe(0);
    expect(await header().getByText('Sign up / Log in').count()).toBe(0);
  });

  test('of a member whose account is not for Saudi stocks', async () => {
    await open(MEMBERS.opened);
    expect(await entries()).toEqual(['Sahm ID SA-10000006', 'My Account', 'Log Out']);
    expect(await header().getByText('Open Account').count()).toBe(0);
  });

  test('of a member without an account', async () => {
    await open(MEMBERS.unopened);
    expect(await entries()).toEqual(['No account opened yet', 'Log Out']);
    const opening = header().getByText('Open Account').first();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[data-chrome="header"] a')].some(
        (link) =>
          link.textContent === 'Open Account' &&
          link.getAttribute('href')?.includes('sceneFrom=SahmWebsite_openAccount'),
      ),
    );
    expect(await opening.getAttribute('href')).not.toContain('/login');
  });

  test('is not there for a visitor, whose ways lead through the login and back', async () => {
    await open(undefined, 'pc', '/news/us?_scnl=7&x=1');
    expect(await menu().count()).toBe(0);
    await page.waitForFunction(() =>
      document.querySelector('a[href*="SahmWebsite_login"]')?.getAttribute('href')?.includes('x'),
    );
    for (const name of ['Sign up / Log in', 'Open Account']) {
      const href = await header().getByText(name).first().getAttribute('href');
      const url = new URL(href ?? '', 'https://site');
      expect(url.pathname).toBe('/en-us/login');
      expect(url.searchParams.get('target')).toBe('/en-us/news/us?x=1');
      expect(url.searchParams.get('lang')).toBe('en-US');
    }
  });
});

describe('the way to an account outside the app', () => {
  test('explains the next step, leads back and not to itself', async () => {
    await open(MEMBERS.unopened, 'pc', '/news/us');
    const opening = header().locator('a', { hasText: 'Open Account' }).first();
    await expect.poll(() => opening.getAttribute('href')).toContain('/en-us/download?sceneFrom=');
    await opening.click();
    await page.getByText('Next step: open your account in the app').waitFor();
    await hydrated(page);
    expect(await page.locator('a', { hasText: 'Open Account' }).count()).toBe(0);
    await page.getByText('Back to the page you came from').click();
    await page.waitForURL('**/en-us/news/us');
    const plain = await fetch(address('ar-sa', '/download?sceneFrom=SahmWebsite_openAccount'));
    expect(await plain.text()).toContain('الخطوة التالية');
  });
});

describe('Register Tadawul', () => {
  test('opens its address in a new tab', async () => {
    await open(MEMBERS.saudi);
    await menu().locator('summary').click();
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      menu().getByText('Register Tadawul').click(),
    ]);
    await expect.poll(() => tab.url()).toMatch(/^https?:/);
  });

  test('that fails leaves no tab open, is shown, and is reported with its code', async () => {
    await open(MEMBERS.saudi);
    await page.route('**/getTadawulLoginUrl', (route) =>
      route.fulfill({ status: 503, json: { code: 503, msg: 'away', data: null } }),
    );
    const reported = page.waitForRequest(
      (request) =>
        request.url().endsWith('/api/event-report/report') &&
        (request.postData() ?? '').includes('tadawul_login_failed'),
    );
    await menu().locator('summary').click();
    await menu().getByText('Register Tadawul').click();
    const form = new URLSearchParams((await reported).postData() ?? '');
    expect(JSON.parse(form.get('eventValue') ?? '')).toEqual({ code: 503 });
    expect(form.get('sellClient')).toBe('10');
    expect(form.get('memberId')).not.toBe('0');
    await expect.poll(() => context.pages().length).toBe(1);
    await page.getByRole('status').getByText('away').waitFor();
  });

  test('asks for a PC on a phone', async () => {
    await open(MEMBERS.saudi, 'phone');
    await header().locator('button[aria-haspopup="dialog"]').click();
    const sheet = header().getByRole('dialog', { name: 'Menu' });
    await sheet.getByRole('button', { name: 'Register Tadawul' }).click();
    const said = page.getByText('Please use a PC Browser to access Register-Tadawul');
    expect(await said.last().isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Got it' }).last().click();
    await said.last().waitFor({ state: 'hidden' });
  });
});

describe('the login check', () => {
  const checks = () => {
    const seen: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/passport/member/check')) seen.push(request.postData() ?? '');
    });
    return seen;
  };
  const toMarket = async (market: string) => {
    await page.locator(`main a[href="/en-us/news/${market}"]:visible`).first().click();
    await page.waitForFunction(
      (id) => document.documentElement.dataset.page === id,
      `news-${market}`,
    );
  };

  test('is not waited for to know whom events count for', async () => {
    context = await newContext(browser);
    await actAs(context, MEMBERS.saudi);
    page = await context.newPage();
    await page.route('**/passport/member/check', () => {});
    const visit = page.waitForRequest(
      (request) =>
        request.url().endsWith('/api/event-report/report') &&
        (request.postData() ?? '').includes('eventName=visit'),
    );
    await page.goto(address('en-us', '/news'));
    const form = new URLSearchParams((await visit).postData() ?? '');
    expect(form.get('memberId')).toMatch(/^[1-9][0-9]*$/);
  });

  test('is repeated on every route change of a visitor', async () => {
    context = await newContext(browser);
    page = await context.newPage();
    const seen = checks();
    await page.goto(address('en-us', '/news'));
    await hydrated(page);
    await expect.poll(() => seen.length).toBe(1);
    expect(seen[0]).toContain('_clientType=10');
    await toMarket('us');
    await expect.poll(() => seen.length).toBe(2);
  });

  test('that fails is repeated on the next route change', async () => {
    context = await newContext(browser);
    await actAs(context, MEMBERS.opened);
    page = await context.newPage();
    const seen = checks();
    await page.route(
      '**/passport/member/check',
      (route) => route.fulfill({ status: 503, json: { code: 503, msg: 'away', data: null } }),
      { times: 1 },
    );
    await page.goto(address('en-us', '/news'));
    await hydrated(page);
    await expect.poll(() => seen.length).toBe(1);
    await page.waitForLoadState('networkidle');
    await toMarket('us');
    await expect.poll(() => seen.length).toBe(2);
    expect(await menu().count()).toBe(1);
  });

  test('of a member holds for a minute', async () => {
    context = await newContext(browser);
    await actAs(context, MEMBERS.opened);
    page = await context.newPage();
    await page.clock.install();
    const seen = checks();
    await page.goto(address('en-us', '/news'));
    await hydrated(page);
    await expect.poll(() => seen.length).toBe(1);
    await page.waitForLoadState('networkidle');
    await toMarket('us');
    expect(seen).toHaveLength(1);
    await page.clock.fastForward(60_001);
    await toMarket('saudi');
    await expect.poll(() => seen.length).toBe(2);
  });
});

describe('logging out', () => {
  test('ends the session and shows the page as to a visitor', async () => {
    context = await newContext(browser);
    // A session of its own: it ends.
    await logIn(context, MEMBERS.opened);
    page = await context.newPage();
    await page.goto(address('en-us', '/news'));
    await hydrated(page);
    await menu().locator('summary').click();
    await Promise.all([page.waitForEvent('load'), menu().getByText('Log Out').click()]);
    await hydrated(page);
    expect(await menu().count()).toBe(0);
    expect(await header().getByText('Sign up / Log in').first().isVisible()).toBe(true);
  });

  test('that fails says so, once in a moment', async () => {
    await open(MEMBERS.opened);
    await page.route('**/passport/logout', (route) =>
      route.fulfill({ status: 500, json: { code: 500, msg: 'It did not work.', data: null } }),
    );
    await menu().locator('summary').click();
    await menu().getByText('Log Out').click();
    const toast = page.getByRole('status').getByText('It did not work.');
    await toast.waitFor();
    const cookies = await context.cookies();
    expect(cookies.find(({ name }) => name === 'hstMessage')?.value).toMatch(/^[0-9a-f]{8}$/);
    await menu().getByText('Log Out').click();
    expect(await toast.count()).toBe(1);
    expect(await menu().count()).toBe(1);
  });
});

describe('opening an account inside the app', () => {
  /** What the app was asked for; it says that it did it, or not. */
  const asked = () =>
    page.evaluate(() =>
      (window as unknown as { asked: { method: string; params: object }[] }).asked.filter(
        ({ method }) => method !== 'title',
      ),
    );
  const openInApp = async (path: string, account?: string, ok = true) => {
    context = await newContext(browser, { device: 'phone', userAgent: 'SahmApp/9 Android' });
    if (account) await actAs(context, account);
    page = await context.newPage();
    await page.addInitScript((answer) => {
      const messages: { id: number; method: string }[] = [];
      const postMessage = (text: string) => {
        const message = JSON.parse(text) as { id: number; method: string };
        messages.push(message);
        const detail = { id: message.id, ok: answer && message.method !== 'login' };
        window.dispatchEvent(new CustomEvent('sahm:native', { detail }));
      };
      Object.assign(window, { asked: messages, SahmApp: { postMessage } });
    }, ok);
    await page.goto(address('en-us', path));
    await hydrated(page);
    const opening = page.locator('main a', { hasText: 'Open Account' }).first();
    if (account) await page.waitForResponse('**/apply-progress').catch(() => {});
    await opening.click();
  };
  const TAGS = 'sceneFrom=SahmWebsite_openAccount&lang=en-US';

  test('is the app’s for a member, by the market', async () => {
    await openInApp('/', MEMBERS.unopened);
    await expect
      .poll(asked)
      .toMatchObject([{ method: 'open', params: { url: `{token}?_app_fullScreen=y&${TAGS}` } }]);
    await context.close();
    await openInApp('/invest/us-stocks', MEMBERS.unopened);
    await expect.poll(asked).toMatchObject([{ method: 'open', params: { url: `/?${TAGS}` } }]);
    expect(page.url()).toBe(address('en-us', '/invest/us-stocks'));
  });

  test('that the app does not know leads on as the link does', async () => {
    await openInApp('/', MEMBERS.unopened, false);
    await page.waitForURL(`**/en-us/download?${TAGS}`);
  });

  test('begins with the app’s login for a visitor, else with the page’s', async () => {
    await openInApp('/');
    await page.waitForURL('**/en-us/login?**');
    expect(new URL(page.url()).searchParams.get('sceneFrom')).toBe('SahmWebsite_openAccount');
  });
});
