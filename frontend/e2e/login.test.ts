import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hydrated, launch, newContext } from './browser.ts';
import { codeFor, MEMBERS, newPhone, PASSWORD } from './member.ts';
import { address, origin } from './site.ts';

let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());
afterEach(() => context.close());

async function open(query = '', locale: 'en-us' | 'ar-sa' = 'en-us') {
  context = await newContext(browser);
  page = await context.newPage();
  await page.goto(`${address(locale, '/login')}${query}`);
  await hydrated(page);
}

const field = (name: string) => page.locator(`input[name="${name}"]:visible`);
const submit = () => page.locator('main button[type="submit"]:visible');
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'));

describe('by password', () => {
  const fill = async (account: string, password: string) => {
    await page.getByRole('tab', { name: 'With a password' }).click();
    await field('account').fill(account);
    await field('password').fill(password);
    await submit().click();
  };

  test('leads back to where one came from', async () => {
    await open(`?target=${encodeURIComponent('/en-us/news?x=1#main')}`);
    await fill(MEMBERS.opened, PASSWORD);
    await page.waitForURL('**/en-us/news?x=1#main');
    await page.locator('[data-chrome="header"] details', { hasText: 'Log Out' }).waitFor();
  });

  test.each([
    'https://evil.example/',
    '//evil.example',
    '/.//evil.example/phish',
    `${origin()}//evil.example`,
    'javascript:alert(1)',
  ])('never leads to %s', async (target) => {
    await open(`?target=${encodeURIComponent(target)}`);
    await fill(MEMBERS.opened, PASSWORD);
    await page.waitForURL((url) => url.pathname === '/en-us');
    expect(new URL(page.url()).origin).toBe(origin());
  });

  test('leads to a white-listed host', async () => {
    const target = 'https://app.listed.example/a?b=c';
    await open(`?target=${encodeURIComponent(target)}`);
    await context.route('https://app.listed.example/**', (route) => route.fulfill({ body: 'app' }));
    // Of one member ten logins in five minutes are taken, over all tests (docs/limits-and-timeouts.md).
    await fill(MEMBERS.saudi, PASSWORD);
    await page.waitForURL(target);
  });

  test('that is wrong is said beside it', async () => {
    await open();
    // An account of its own: logins of the others count towards their lock.
    await fill('500000099', 'Wrong#2026');
    await page.getByText('The account and the password do not match.').waitFor();
    expect(await focused()).toBe('password');
    expect(await field('password').getAttribute('aria-invalid')).toBe('true');
  });

  test('takes Arabic digits', async () => {
    await open('', 'ar-sa');
    await page.getByRole('tab', { name: 'بكلمة مرور' }).click();
    await field('account').fill('٥٠٠٠٠٠٠٠٧');
    await field('password').fill(PASSWORD);
    await submit().click();
    await page.waitForURL((url) => url.pathname === '/ar-sa');
  });
});

describe('by code', () => {
  test.each([
    ['', 'Enter your phone number.', 'phone'],
    ['412345678', 'A Saudi mobile number starts with 5.', 'phone'],
    ['5123', 'A Saudi mobile number has 9 digits.', 'phone'],
    ['512345678', 'Enter the code we sent you.', 'code'],
  ])('%s says: %s', async (phone, text, name) => {
    await open();
    await field('phone').fill(phone);
    await submit().click();
    await page.getByText(text).waitFor();
    expect(await focused()).toBe(name);
  });

  test('has the usual countries first, and names its fields to the browser', async () => {
    await open();
    const select = page.locator('select[name="telCode"]');
    await expect.poll(() => select.locator('optgroup').count()).toBe(2);
    expect(await select.locator('option:checked').textContent()).toContain('+966');
    expect(await field('phone').getAttribute('autocomplete')).toBe('tel-national');
    expect(await field('phone').getAttribute('placeholder')).toBe('5XXXXXXXX');
    expect(await field('code').getAttribute('autocomplete')).toBe('one-time-code');
  });

  test('signs a new number up, and offers a password', async () => {
    const phone = newPhone();
    await open(`?target=${encodeURIComponent('/en-us/news')}`);
    await field('phone').fill(phone);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('The code is on its way').waitFor();
    expect(await page.getByRole('button', { name: /Resend in \d+ s/ }).isDisabled()).toBe(true);
    await expect.poll(() => codeFor(phone)).toMatch(/^\d{6}$/);
    await field('code').fill(codeFor(phone) ?? '');
    await submit().click();
    const heading = page.getByRole('heading', { level: 1 });
    await heading.getByText('Choose a password').waitFor();
    expect(await heading.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.locator('[data-chrome="header"] details', { hasText: 'Log Out' }).waitFor();
    expect(await page.getByText('Sign up / Log in').count()).toBe(0);
    await field('password').fill('Sahm');
    await submit().click();
    expect(await focused()).toBe('password');
    await field('password').fill(PASSWORD);
    expect(await page.locator('main li[data-kept]').count()).toBe(6);
    await submit().click();
    await page.waitForURL('**/en-us/news');
    await page.locator('[data-chrome="header"] details', { hasText: 'Log Out' }).waitFor();
  });

  test('goes on without a password where the session has ended meanwhile', async () => {
    const phone = newPhone();
    await open(`?target=${encodeURIComponent('/en-us/news')}`);
    await field('phone').fill(phone);
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect.poll(() => codeFor(phone)).toMatch(/^\d{6}$/);
    await field('code').fill(codeFor(phone) ?? '');
    await submit().click();
    await field('password').fill(PASSWORD);
    await context.request.post(`${origin()}/api/passport/logout`);
    await submit().click();
    await page.waitForURL('**/en-us/news');
  });

  test('that is wrong is said beside it', async () => {
    await open();
    await field('phone').fill('509999999');
    await field('code').fill('000000');
    await submit().click();
    await page.getByText('The code is wrong or no longer valid.').waitFor();
    expect(await focused()).toBe('code');
  });
});

test('an invitation code is judged when it is left', async () => {
  await open();
  await page.getByText('I have an invitation code').click();
  await field('inviteCode').fill('NOSUCH1');
  await field('inviteCode').blur();
  await page.getByText('Invitation code does not exist.').waitFor();
});

test('without scripts the page says what to do', async () => {
  context = await newContext(browser, { javaScriptEnabled: false });
  page = await context.newPage();
  await page.goto(address('en-us', '/login'));
  // Texts in `noscript` are not found by their text.
  const said = page.locator('main noscript p');
  expect(await said.textContent()).toContain('Logging in needs scripts');
  expect(await said.isVisible()).toBe(true);
  expect(await page.locator('main form:visible').count()).toBe(0);
  expect(await page.locator('main a[href="/en-us/download"]').isVisible()).toBe(true);
  expect(await page.locator('meta[name="robots"]').getAttribute('content')).toContain('noindex');
});
