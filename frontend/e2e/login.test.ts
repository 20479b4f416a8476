import type { Page } from '@playwright/test';
import type { Locale } from '../src/lib/locale.ts';
import { open } from './browser.ts';
import { codeFor, MEMBERS, newPhone, PASSWORD } from './member.ts';
import { address, origin } from './site.ts';
import { expect, test } from './test.ts';

const openLogin = (page: Page, query = '', locale: Locale = 'en-us') =>
  open(page, `${address(locale, '/login')}${query}`);

const field = (page: Page, name: string) => page.locator(`input[name="${name}"]:visible`);
const submit = (page: Page) => page.locator('main button[type="submit"]:visible');
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('name'));

test.describe('by password', () => {
  const fill = async (page: Page, account: string, password: string) => {
    await page.getByRole('tab', { name: 'With a password' }).click();
    await field(page, 'account').fill(account);
    await field(page, 'password').fill(password);
    await submit(page).click();
  };

  test('returns to the previous page', async ({ page }) => {
    await openLogin(page, `?target=${encodeURIComponent('/en-us/news?x=1#main')}`);
    await fill(page, MEMBERS.opened, PASSWORD);
    await page.waitForURL('**/en-us/news?x=1#main');
    await page.locator('[data-chrome="header"] details', { hasText: 'Log Out' }).waitFor();
  });

  for (const target of [
    'https://evil.example/',
    '//evil.example',
    '/.//evil.example/phish',
    `${origin()}//evil.example`,
    'javascript:alert(1)',
  ])
    test(`never redirects to ${target}`, async ({ page }) => {
      await openLogin(page, `?target=${encodeURIComponent(target)}`);
      await fill(page, MEMBERS.opened, PASSWORD);
      await page.waitForURL((url) => url.pathname === '/en-us');
      expect(new URL(page.url()).origin).toBe(origin());
    });

  test('redirects to a white-listed host', async ({ page, context }) => {
    const target = 'https://app.listed.example/a?b=c';
    await openLogin(page, `?target=${encodeURIComponent(target)}`);
    await context.route('https://app.listed.example/**', (route) => route.fulfill({ body: 'app' }));
    // All tests together may log each member in ten times in five minutes
    // (docs/limits-and-timeouts.md).
    await fill(page, MEMBERS.saudi, PASSWORD);
    await page.waitForURL(target);
  });

  test('shows an error beside a wrong password', async ({ page }) => {
    await openLogin(page);
    // No other test uses this account, because failed logins lock it.
    await fill(page, '500000099', 'Wrong#2026');
    await page.getByText('The account and the password do not match.').waitFor();
    expect(await focused(page)).toBe('password');
    expect(await field(page, 'password').getAttribute('aria-invalid')).toBe('true');
  });

  test('accepts Arabic digits', async ({ page }) => {
    await openLogin(page, '', 'ar-sa');
    await page.getByRole('tab', { name: 'بكلمة مرور' }).click();
    await field(page, 'account').fill('٥٠٠٠٠٠٠٠٧');
    await field(page, 'password').fill(PASSWORD);
    await submit(page).click();
    await page.waitForURL((url) => url.pathname === '/ar-sa');
  });
});

test.describe('by code', () => {
  for (const [phone, text, name] of [
    ['', 'Enter your mobile number.', 'phone'],
    ['412345678', 'A Saudi mobile number starts with 5.', 'phone'],
    ['5123', 'A Saudi mobile number has 9 digits.', 'phone'],
    ['512345678', 'Enter the code we sent you.', 'code'],
  ] as const)
    test(`shows an error for ${phone}: ${text}`, async ({ page }) => {
      await openLogin(page);
      await field(page, 'phone').fill(phone);
      await submit(page).click();
      await page.getByText(text).waitFor();
      expect(await focused(page)).toBe(name);
    });

  test('lists common countries first and has autocomplete names', async ({ page }) => {
    await openLogin(page);
    const select = page.locator('select[name="telCode"]');
    await expect.poll(() => select.locator('optgroup').count()).toBe(2);
    expect(await select.locator('option:checked').textContent()).toContain('+966');
    expect(await field(page, 'phone').getAttribute('autocomplete')).toBe('tel-national');
    expect(await field(page, 'phone').getAttribute('placeholder')).toBe('5XXXXXXXX');
    expect(await field(page, 'code').getAttribute('autocomplete')).toBe('one-time-code');
  });

  test('signs a new number up and offers to set a password', async ({ page }) => {
    const phone = newPhone();
    await openLogin(page, `?target=${encodeURIComponent('/en-us/news')}`);
    await field(page, 'phone').fill(phone);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('The code is on its way').waitFor();
    expect(await page.getByRole('button', { name: /Resend in \d+ s/ }).isDisabled()).toBe(true);
    await expect.poll(() => codeFor(phone)).toMatch(/^\d{6}$/);
    await field(page, 'code').fill(codeFor(phone) ?? '');
    await submit(page).click();
    const heading = page.getByRole('heading', { level: 1 });
    await heading.getByText('Choose a password').waitFor();
    expect(await heading.evaluate((node) => node === document.activeElement)).toBe(true);
    await expect(page).toHaveTitle('Choose a password | Sahm');
    await page.locator('[data-chrome="header"] details', { hasText: 'Log Out' }).waitFor();
    expect(await page.getByText('Sign up / Log in').count()).toBe(0);
    await field(page, 'password').fill('Sahm');
    await submit(page).click();
    expect(await focused(page)).toBe('password');
    await field(page, 'password').fill(PASSWORD);
    expect(await page.locator('main li[data-fulfilled]').count()).toBe(6);
    await submit(page).click();
    await page.waitForURL('**/en-us/news');
    await page.locator('[data-chrome="header"] details', { hasText: 'Log Out' }).waitFor();
  });

  test('continues without a password if the session has ended meanwhile', async ({
    page,
    context,
  }) => {
    const phone = newPhone();
    await openLogin(page, `?target=${encodeURIComponent('/en-us/news')}`);
    await field(page, 'phone').fill(phone);
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect.poll(() => codeFor(phone)).toMatch(/^\d{6}$/);
    await field(page, 'code').fill(codeFor(phone) ?? '');
    await submit(page).click();
    await field(page, 'password').fill(PASSWORD);
    await context.request.post(`${origin()}/api/passport/logout`);
    await submit(page).click();
    await page.waitForURL('**/en-us/news');
  });

  test('that is wrong is said beside it', async ({ page }) => {
    await openLogin(page);
    await field(page, 'phone').fill('509999999');
    await field(page, 'code').fill('000000');
    await submit(page).click();
    await page.getByText('The code is wrong or no longer valid.').waitFor();
    expect(await focused(page)).toBe('code');
  });
});

test('an invitation code is validated on blur', async ({ page }) => {
  await openLogin(page);
  await page.getByText('I have an invitation code').click();
  await field(page, 'inviteCode').fill('NOSUCH1');
  await field(page, 'inviteCode').blur();
  await page.getByText('Invitation code does not exist.').waitFor();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the page explains what to do', async ({ page }) => {
    await page.goto(address('en-us', '/login'));
    // Locators do not find texts in `noscript`.
    const said = page.locator('main noscript p');
    expect(await said.textContent()).toContain('Logging in needs scripts');
    expect(await said.isVisible()).toBe(true);
    expect(await page.locator('main form:visible').count()).toBe(0);
    expect(await page.locator('main a[href="/en-us/download"]').isVisible()).toBe(true);
    expect(await page.locator('meta[name="robots"]').getAttribute('content')).toContain('noindex');
  });
});
