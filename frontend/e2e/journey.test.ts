import type { Page } from '@playwright/test';
import type { Locale } from '../src/lib/locale.ts';
import { hydrated, open, waitForPageId } from './browser.ts';
import { calculator } from './calculator.ts';
import { codeFor, newPhone } from './member.ts';
import { address } from './site.ts';
import { EACH_DEVICE, EACH_LOCALE, expect, test } from './test.ts';
import { textsOf } from './texts.ts';
import { keyboardInput, pointerInput, type UserInput } from './user-input.ts';

test.use({ reducedMotion: 'reduce', failsOnPageErrors: true });

/**
 * A visitor from a campaign reads the news, shares an article, calculates an order's fees, signs up by
 * code and logs out.
 */
async function journey(page: Page, locale: Locale, isMobile: boolean, input: UserInput) {
  const common = textsOf(locale, 'common');
  const login = textsOf(locale, 'login');
  const header = page.locator('[data-chrome="header"]');

  /** The menu's entries; on a phone, opens the menu first. */
  async function menu() {
    if (!isMobile) return header;
    await input.press(header.locator('button[aria-haspopup="dialog"]'));
    return header.locator('dialog[open]');
  }

  async function choose(path: string) {
    const entries = (await menu()).locator('nav').first();
    const to = `a[href="/${locale}${path}"]`;
    const section = entries.locator('details', { has: page.locator(to) });
    if ((await section.count()) > 0) await input.press(section.locator('summary'));
    await input.press(entries.locator(to).first());
  }

  /** The campaign's link, valid for an hour and reported once. */
  async function arrive() {
    const report = page.waitForRequest(
      (request) =>
        request.url().endsWith('/api/event-report/report') &&
        (request.postData() ?? '').includes('friend7'),
    );
    await open(page, `${address(locale, '/')}?_pid=friend7&_scnl=1110999&_c=spring`);
    const form = new URLSearchParams((await report).postData() ?? '');
    expect(JSON.parse(form.get('eventValue') ?? '')).toMatchObject({
      page: 'home',
      pid: 'friend7',
      scnl: '1110999',
      c: 'spring',
    });
    const cookies = new Map(
      (await page.context().cookies()).map(({ name, value }) => [name, value]),
    );
    expect(cookies.get('AGENTID')).toBe('1110999');
    const campaign = JSON.parse(decodeURIComponent(cookies.get('sahm_spm_share_data') ?? ''));
    expect(campaign).toMatchObject({ pid: 'friend7', scnl: '1110999', c: 'spring' });
  }

  async function readAndShare() {
    await choose('/news/saudi');
    await waitForPageId(page, 'news-saudi');
    await input.press(page.locator(`main article a[href^="/${locale}/news/content/"]`).first());
    await waitForPageId(page, 'news-content');
    const canonical = await page.locator('link[rel="canonical"]').getAttribute('href');
    await input.press(page.locator('main button[aria-haspopup="dialog"]'));
    const panel = page.locator('main dialog[open]');
    const link = panel.locator('input');
    await link.waitFor();
    expect(await link.inputValue()).toBe(`${canonical}?_pid=friend7&_scnl=1110621`);
    await input.press(panel.locator('form[method="dialog"] button'));
    await panel.waitFor({ state: 'detached' });
  }

  async function workOutFees() {
    await choose('/pricing');
    await waitForPageId(page, 'pricing');
    const { field, result } = calculator(page);
    await input.type(field(0), '40');
    await input.type(field(1), '25');
    await expect.poll(result).toBe('0.32 0.30 0.09 0.05 0.01 0.05 = 0.82');
  }

  async function signUp() {
    const phone = newPhone();
    const logInLink = (await menu()).getByRole('link', { name: common('log-in') });
    await expect.poll(() => logInLink.getAttribute('href')).toContain('target=');
    await input.press(logInLink);
    await waitForPageId(page, 'login');
    await hydrated(page);
    const field = (name: string) => page.locator(`main input[name="${name}"]:visible`);
    await input.type(field('phone'), phone);
    await input.press(
      page.locator('main').getByRole('button', { name: login('send'), exact: true }),
    );
    await page.getByText(login('send.done')).waitFor();
    await expect.poll(() => codeFor(phone)).toMatch(/^\d{6}$/);
    await input.type(field('code'), codeFor(phone) ?? '');
    await input.press(page.locator('main button[type="submit"]:visible'));
    // Only new numbers are offered a password.
    await page.getByRole('heading', { name: login('set.title') }).waitFor();
    // The header shows the member only after the page has loaded; no real visitor acts sooner.
    const progress = page.waitForResponse('**/api/openaccount/account/apply-progress');
    await input.press(page.getByRole('button', { name: login('set.later') }));
    await page.waitForURL(address(locale, '/pricing'));
    await progress;
    await hydrated(page);
  }

  async function logOut() {
    const entries = await menu();
    const account = entries.locator('details', { hasText: common('account.log-out') });
    if (!isMobile) await input.press(account.locator('summary'));
    const out = entries.getByRole('button', { name: common('account.log-out') });
    await out.waitFor();
    expect(await entries.getByRole('link', { name: common('log-in') }).count()).toBe(0);
    await Promise.all([page.waitForEvent('load'), input.press(out)]);
    await hydrated(page);
    const logInLink = (await menu()).getByRole('link', { name: common('log-in') });
    await logInLink.waitFor();
    const cookies = await page.context().cookies();
    expect(cookies.filter(({ name }) => name.endsWith('sahm_session'))).toEqual([]);
  }

  await arrive();
  await readAndShare();
  await workOutFees();
  await signUp();
  await logOut();
}

test('a campaign’s visitor signs up and logs out', {
  tag: [EACH_LOCALE.tag, EACH_DEVICE.tag],
}, async ({ page, locale, isMobile }) => {
  await journey(page, locale, isMobile, pointerInput());
});

test('a campaign’s visitor signs up and logs out by keyboard only', async ({ page, locale }) => {
  await journey(page, locale, false, keyboardInput(page));
});
