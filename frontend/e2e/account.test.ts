import type { Page } from '@playwright/test';
import { DEVICES, hydrated, open, waitForPageId } from './browser.ts';
import { actAs, logIn, MEMBERS } from './member.ts';
import { address } from './site.ts';
import { expect, test } from './test.ts';

async function openAs(page: Page, account: string, path = '/news') {
  await actAs(page.context(), account);
  await open(page, address('en-us', path));
}

/** The address in the development configuration (services/config/seed). */
const ACCOUNT = 'https://account-feature.sahm.example/?sceneFrom=SahmWebsite_myAccount&lang=en-US';

const header = (page: Page) => page.locator('[data-chrome="header"]');
const menu = (page: Page) => header(page).locator('details', { hasText: 'Log Out' });
const entries = async (page: Page) => {
  await menu(page).locator('summary').click();
  return menu(page)
    .locator('ul > li')
    .evaluateAll((items) =>
      items.map((item) => (item.querySelector('a, button') ?? item).textContent),
    );
};

test.describe('the account menu', () => {
  test('offers a member with a Saudi account the account, Tadawul and logging out', async ({
    page,
    context,
  }) => {
    await openAs(page, MEMBERS.saudi);
    expect(await entries(page)).toEqual([
      'Sahm ID SA-10000007',
      'My Account',
      'Register Tadawul',
      'Log Out',
    ]);
    const mine = await menu(page).getByText('My Account').getAttribute('href');
    expect(mine).toBe(ACCOUNT);
    const plain = await (await context.request.get(address('en-us', '/news'))).text();
    expect(plain).toContain(`href="${ACCOUNT.replace('&', '&amp;')}"`);
    expect(await header(page).getByText('Open Account').count()).toBe(0);
    expect(await header(page).getByText('Sign up / Log in').count()).toBe(0);
  });

  test('of a member without a Saudi account offers no Tadawul registration', async ({ page }) => {
    await openAs(page, MEMBERS.opened);
    expect(await entries(page)).toEqual(['Sahm ID SA-10000006', 'My Account', 'Log Out']);
    expect(await header(page).getByText('Open Account').count()).toBe(0);
  });

  test('offers a member without an account to open one', async ({ page }) => {
    await openAs(page, MEMBERS.unopened);
    expect(await entries(page)).toEqual(['No account opened yet', 'Log Out']);
    const opening = header(page).getByText('Open Account').first();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('[data-chrome="header"] a')].some(
        (link) =>
          link.textContent === 'Open Account' &&
          link.getAttribute('href')?.includes('sceneFrom=SahmWebsite_openAccount'),
      ),
    );
    expect(await opening.getAttribute('href')).not.toContain('/login');
  });

  test('is absent for a visitor, whose links return through the login', async ({ page }) => {
    await open(page, address('en-us', '/news/us?_scnl=7&x=1'));
    expect(await menu(page).count()).toBe(0);
    await page.waitForFunction(() =>
      document.querySelector('a[href*="SahmWebsite_login"]')?.getAttribute('href')?.includes('x'),
    );
    for (const name of ['Sign up / Log in', 'Open Account']) {
      const href = await header(page).getByText(name).first().getAttribute('href');
      const url = new URL(href ?? '', 'https://site');
      expect(url.pathname).toBe('/en-us/login');
      expect(url.searchParams.get('target')).toBe('/en-us/news/us?x=1');
      expect(url.searchParams.get('lang')).toBe('en-US');
    }
  });
});

test.describe('a link to open an account outside the app', () => {
  test('explains the next step and links back to the previous page', async ({ page }) => {
    await openAs(page, MEMBERS.unopened, '/news/us');
    const opening = header(page).locator('a', { hasText: 'Open Account' }).first();
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

test.describe('Register Tadawul', () => {
  test('opens its address in a new tab', async ({ page, context }) => {
    await openAs(page, MEMBERS.saudi);
    await menu(page).locator('summary').click();
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      menu(page).getByText('Register Tadawul').click(),
    ]);
    await expect.poll(() => tab.url()).toMatch(/^https?:/);
  });

  test('closes the tab, shows a message and reports the code if it fails', async ({
    page,
    context,
  }) => {
    await openAs(page, MEMBERS.saudi);
    await page.route('**/getTadawulLoginUrl', (route) =>
      route.fulfill({ status: 503, json: { code: 503, msg: 'away', data: null } }),
    );
    const reported = page.waitForRequest(
      (request) =>
        request.url().endsWith('/api/event-report/report') &&
        (request.postData() ?? '').includes('tadawul_login_failed'),
    );
    await menu(page).locator('summary').click();
    await menu(page).getByText('Register Tadawul').click();
    const form = new URLSearchParams((await reported).postData() ?? '');
    expect(JSON.parse(form.get('eventValue') ?? '')).toEqual({ code: 503 });
    expect(form.get('sellClient')).toBe('10');
    expect(form.get('memberId')).not.toBe('0');
    await expect.poll(() => context.pages().length).toBe(1);
    await page.getByRole('status').getByText('away').waitFor();
  });

  test.describe('on a phone', () => {
    test.use(DEVICES.phone);

    test('asks for a PC', async ({ page }) => {
      await openAs(page, MEMBERS.saudi);
      await header(page).locator('button[aria-haspopup="dialog"]').click();
      const sheet = header(page).getByRole('dialog', { name: 'Menu' });
      await sheet.getByRole('button', { name: 'Register Tadawul' }).click();
      const said = page.getByText('Please use a PC Browser to access Register-Tadawul');
      expect(await said.last().isVisible()).toBe(true);
      await page.getByRole('button', { name: 'Got it' }).last().click();
      await said.last().waitFor({ state: 'hidden' });
    });
  });
});

test.describe('the login check', () => {
  const checks = (page: Page) => {
    const seen: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/passport/member/check')) seen.push(request.postData() ?? '');
    });
    return seen;
  };
  const toMarket = async (page: Page, market: string) => {
    await page.locator(`main a[href="/en-us/news/${market}"]:visible`).first().click();
    await waitForPageId(page, `news-${market}`);
  };

  test('does not delay a member’s events', async ({ page, context }) => {
    await actAs(context, MEMBERS.saudi);
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

  test('runs on every route change of a visitor', async ({ page }) => {
    const seen = checks(page);
    await open(page, address('en-us', '/news'));
    await expect.poll(() => seen.length).toBe(1);
    expect(seen[0]).toContain('_clientType=10');
    await toMarket(page, 'us');
    await expect.poll(() => seen.length).toBe(2);
  });

  test('runs again on the next route change if it failed', async ({ page, context }) => {
    await actAs(context, MEMBERS.opened);
    const seen = checks(page);
    await page.route(
      '**/passport/member/check',
      (route) => route.fulfill({ status: 503, json: { code: 503, msg: 'away', data: null } }),
      { times: 1 },
    );
    await open(page, address('en-us', '/news'));
    await expect.poll(() => seen.length).toBe(1);
    await page.waitForLoadState('networkidle');
    await toMarket(page, 'us');
    await expect.poll(() => seen.length).toBe(2);
    expect(await menu(page).count()).toBe(1);
  });

  test('of a member is valid for a minute', async ({ page, context }) => {
    await actAs(context, MEMBERS.opened);
    await page.clock.install();
    const seen = checks(page);
    await open(page, address('en-us', '/news'));
    await expect.poll(() => seen.length).toBe(1);
    await page.waitForLoadState('networkidle');
    await toMarket(page, 'us');
    expect(seen).toHaveLength(1);
    await page.clock.fastForward(60_001);
    await toMarket(page, 'saudi');
    await expect.poll(() => seen.length).toBe(2);
  });
});

test.describe('logging out', () => {
  test('ends the session and shows the page of a visitor', async ({ page, context }) => {
    // The test ends its session, so it does not use the shared one.
    await logIn(context, MEMBERS.opened);
    await open(page, address('en-us', '/news'));
    await menu(page).locator('summary').click();
    await Promise.all([page.waitForEvent('load'), menu(page).getByText('Log Out').click()]);
    await hydrated(page);
    expect(await menu(page).count()).toBe(0);
    expect(await header(page).getByText('Sign up / Log in').first().isVisible()).toBe(true);
  });

  test('shows one message if it fails', async ({ page, context }) => {
    await openAs(page, MEMBERS.opened);
    await page.route('**/passport/logout', (route) =>
      route.fulfill({ status: 500, json: { code: 500, msg: 'It did not work.', data: null } }),
    );
    await menu(page).locator('summary').click();
    await menu(page).getByText('Log Out').click();
    const toast = page.getByRole('status').getByText('It did not work.');
    await toast.waitFor();
    const cookies = await context.cookies();
    expect(cookies.find(({ name }) => name === 'hstMessage')?.value).toMatch(/^[0-9a-f]{8}$/);
    await menu(page).getByText('Log Out').click();
    expect(await toast.count()).toBe(1);
    expect(await menu(page).count()).toBe(1);
  });
});

test.describe('opening an account inside the app', () => {
  test.use({ ...DEVICES.phone, userAgent: 'SahmApp/9 Android' });

  /** Records the calls of the app's bridge, which reports success or failure. */
  const calls = (page: Page) =>
    page.evaluate(() =>
      (window as unknown as { calls: { method: string; params: object }[] }).calls.filter(
        ({ method }) => method !== 'title',
      ),
    );
  const openInApp = async (page: Page, path: string, account?: string, ok = true) => {
    if (account) await actAs(page.context(), account);
    await page.addInitScript((answer) => {
      const messages: { id: number; method: string }[] = [];
      const postMessage = (text: string) => {
        const message = JSON.parse(text) as { id: number; method: string };
        messages.push(message);
        const detail = { id: message.id, ok: answer && message.method !== 'login' };
        window.dispatchEvent(new CustomEvent('sahm:native', { detail }));
      };
      Object.assign(window, { calls: messages, SahmApp: { postMessage } });
    }, ok);
    const progress = account && page.waitForResponse('**/apply-progress');
    await open(page, address('en-us', path));
    await progress;
    await page.locator('main a', { hasText: 'Open Account' }).first().click();
  };
  const TAGS = 'sceneFrom=SahmWebsite_openAccount&lang=en-US';

  test('calls the app with the market for a member', async ({ page }) => {
    await openInApp(page, '/', MEMBERS.unopened);
    await expect
      .poll(() => calls(page))
      .toMatchObject([{ method: 'open', params: { url: `{token}?_app_fullScreen=y&${TAGS}` } }]);
    await openInApp(page, '/invest/us-stocks', MEMBERS.unopened);
    await expect
      .poll(() => calls(page))
      .toMatchObject([{ method: 'open', params: { url: `/?${TAGS}` } }]);
    expect(page.url()).toBe(address('en-us', '/invest/us-stocks'));
  });

  test('follows the link if the app does not support it', async ({ page }) => {
    await openInApp(page, '/', MEMBERS.unopened, false);
    await page.waitForURL(`**/en-us/download?${TAGS}`);
  });

  test('begins for a visitor with the login of the app, or else of the site', async ({ page }) => {
    await openInApp(page, '/');
    await page.waitForURL('**/en-us/login?**');
    expect(new URL(page.url()).searchParams.get('sceneFrom')).toBe('SahmWebsite_openAccount');
  });
});
