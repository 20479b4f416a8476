import type { Page } from '@playwright/test';
import type { Locale } from '../src/lib/locale.ts';
import { hydrated, open, waitForPageId } from './browser.ts';
import { calculator } from './calculator.ts';
import { type Hands, keyboard, pointer } from './hands.ts';
import { codeFor, newPhone } from './member.ts';
import { address } from './site.ts';
import { EACH_DEVICE, EACH_LOCALE, expect, test } from './test.ts';
import { textsOf } from './texts.ts';

test.use({ reducedMotion: 'reduce', failsOnComplaints: true });

/**
 * A visitor whom a campaign brought reads the news, shares an article, works out an order's fees,
 * signs up by code and leaves again.
 */
async function journey(page: Page, locale: Locale, isMobile: boolean, hands: Hands) {
  const common = textsOf(locale, 'common');
  const login = textsOf(locale, 'login');
  const header = page.locator('[data-chrome="header"]');

  /** Where the menu's entries are: on a phone they are behind its button. */
  async function menu() {
    if (!isMobile) return header;
    await hands.press(header.locator('button[aria-haspopup="dialog"]'));
    return header.locator('dialog[open]');
  }

  async function choose(path: string) {
    const entries = (await menu()).locator('nav').first();
    const to = `a[href="/${locale}${path}"]`;
    const section = entries.locator('details', { has: page.locator(to) });
    if ((await section.count()) > 0) await hands.press(section.locator('summary'));
    await hands.press(entries.locator(to).first());
  }

  /** The campaign's link: kept for an hour, and told once. */
  async function arrive() {
    const told = page.waitForRequest(
      (request) =>
        request.url().endsWith('/api/event-report/report') &&
        (request.postData() ?? '').includes('friend7'),
    );
    await open(page, `${address(locale, '/')}?_pid=friend7&_scnl=1110999&_c=spring`);
    const form = new URLSearchParams((await told).postData() ?? '');
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
    const kept = JSON.parse(decodeURIComponent(cookies.get('sahm_spm_share_data') ?? ''));
    expect(kept).toMatchObject({ pid: 'friend7', scnl: '1110999', c: 'spring' });
  }

  async function readAndShare() {
    await choose('/news/saudi');
    await waitForPageId(page, 'news-saudi');
    await hands.press(page.locator(`main article a[href^="/${locale}/news/content/"]`).first());
    await waitForPageId(page, 'news-content');
    const canonical = await page.locator('link[rel="canonical"]').getAttribute('href');
    await hands.press(page.locator('main button[aria-haspopup="dialog"]'));
    const panel = page.locator('main dialog[open]');
    const link = panel.locator('input');
    await link.waitFor();
    expect(await link.inputValue()).toBe(`${canonical}?_pid=friend7&_scnl=1110621`);
    await hands.press(panel.locator('form[method="dialog"] button'));
    await panel.waitFor({ state: 'detached' });
  }

  async function workOutFees() {
    await choose('/pricing');
    await waitForPageId(page, 'pricing');
    const { field, result } = calculator(page);
    await hands.type(field(0), '40');
    await hands.type(field(1), '25');
    await expect.poll(result).toBe('0.32 0.30 0.09 0.05 0.01 0.05 = 0.82');
  }

  async function signUp() {
    const phone = newPhone();
    const way = (await menu()).getByRole('link', { name: common('log-in') });
    await expect.poll(() => way.getAttribute('href')).toContain('target=');
    await hands.press(way);
    await waitForPageId(page, 'login');
    await hydrated(page);
    const field = (name: string) => page.locator(`main input[name="${name}"]:visible`);
    await hands.type(field('phone'), phone);
    await hands.press(
      page.locator('main').getByRole('button', { name: login('send'), exact: true }),
    );
    await page.getByText(login('send.done')).waitFor();
    await expect.poll(() => codeFor(phone)).toMatch(/^\d{6}$/);
    await hands.type(field('code'), codeFor(phone) ?? '');
    await hands.press(page.locator('main button[type="submit"]:visible'));
    // Only a number that is new is offered a password.
    await page.getByRole('heading', { name: login('set.title') }).waitFor();
    // What the header shows of a member comes after the page; nobody is quicker than that.
    const progress = page.waitForResponse('**/api/openaccount/account/apply-progress');
    await hands.press(page.getByRole('button', { name: login('set.later') }));
    await page.waitForURL(address(locale, '/pricing'));
    await progress;
    await hydrated(page);
  }

  async function logOut() {
    const entries = await menu();
    const account = entries.locator('details', { hasText: common('account.log-out') });
    if (!isMobile) await hands.press(account.locator('summary'));
    const out = entries.getByRole('button', { name: common('account.log-out') });
    await out.waitFor();
    expect(await entries.getByRole('link', { name: common('log-in') }).count()).toBe(0);
    await Promise.all([page.waitForEvent('load'), hands.press(out)]);
    await hydrated(page);
    const way = (await menu()).getByRole('link', { name: common('log-in') });
    await way.waitFor();
    const cookies = await page.context().cookies();
    expect(cookies.filter(({ name }) => name.endsWith('sahm_session'))).toEqual([]);
  }

  await arrive();
  await readAndShare();
  await workOutFees();
  await signUp();
  await logOut();
}

test('from a campaign to an account and out again', {
  tag: [EACH_LOCALE.tag, EACH_DEVICE.tag],
}, async ({ page, locale, isMobile }) => {
  await journey(page, locale, isMobile, pointer());
});

test('from a campaign to an account and out again by keyboard alone', async ({ page, locale }) => {
  await journey(page, locale, false, keyboard(page));
});
