import type { BrowserContext } from '@playwright/test';
import { DEVICES, hydrated, open } from './browser.ts';
import { logIn, MEMBERS } from './member.ts';
import { address, origin } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

const CAMPAIGN_REGULAR = 6666;
const CAMPAIGN_EID = 901;

const PATH = '/activity/pre-activity-new';
const TEXTS = {
  'en-us': {
    join: 'Join the campaign',
    joined: 'You have joined this campaign.',
    link: 'Show my link',
  },
  'ar-sa': { join: 'انضم إلى الحملة', joined: 'أنت مشارك في الحملة.', link: 'اعرض رابطي' },
};

test.use({ reducedMotion: 'reduce' });

test('the menu’s free stocks link redirects to the campaign', async ({ page }) => {
  await open(page, address('en-us', '/activity/seed?theme=1'));
  expect(new URL(page.url()).pathname).toBe(`/en-us${PATH}`);
  expect(await page.locator('html').getAttribute('data-page')).toBe('activity-pre-activity-new');
  expect(await page.locator('html').getAttribute('data-layout')).toBe('custom');
  expect(await page.locator('[data-chrome="footer"]').count()).toBe(0);
});

test.describe('on a phone', () => {
  test.use(DEVICES.phone);

  test('the free stocks link redirects to the app’s page', async ({ page }) => {
    await open(page, address('ar-sa', '/activity/seed?theme=1'));
    const url = new URL(page.url());
    expect(url.pathname).toBe('/activitiesr/pre-activity-new');
    expect(url.searchParams.get('lang')).toBe('ar-SA');
    expect(url.searchParams.get('activityId')).toBe(String(CAMPAIGN_REGULAR));
    expect(await page.locator('html').getAttribute('data-page')).toBe('activity-pre-activity-new');
    const english = page.locator('[data-chrome="header"] a[hreflang="en-US"]:visible').first();
    await page.waitForFunction(() =>
      document.querySelector('a[hreflang="en-US"]')?.getAttribute('href')?.includes('urlType'),
    );
    expect(await english.getAttribute('href')).toContain('lang=en-US');

    // The login returns to the campaign.
    const login = await page.locator('#join a').first().getAttribute('href');
    const target = new URL(login ?? '', origin()).searchParams.get('target') ?? '';
    const back = new URL(target, origin());
    expect(back.pathname).toBe('/activitiesr/pre-activity-new');
    expect(back.searchParams.get('lang')).toBe('ar-SA');
    expect(back.searchParams.get('activityId')).toBe('6666');
    const answer = await page.goto(back.href);
    expect(answer?.status()).toBe(200);
    expect(await page.locator('html').getAttribute('lang')).toBe('ar-SA');
  });
});

test.describe('a visitor', () => {
  test('joins through the login with the inviter’s code', async ({ page }) => {
    await open(
      page,
      address('en-us', `${PATH}?activityId=${CAMPAIGN_REGULAR}&inviteCode=abcd1234`),
    );
    await page.getByText('You were invited with the code ABCD1234.').waitFor();
    const link = page.locator('#join').getByRole('link', { name: 'Log in to join' });
    const url = new URL((await link.getAttribute('href')) ?? '', origin());
    expect(url.pathname).toBe('/en-us/login');
    expect(url.searchParams.get('target')).toContain('inviteCode=abcd1234');
    expect(url.searchParams.get('inviteCode')).toBe('ABCD1234');
  });

  test('reads that an ended campaign has ended', async ({ page }) => {
    await open(page, address('en-us', `${PATH}?activityId=${CAMPAIGN_EID}`));
    await page.getByText('The campaign has ended.').waitFor();
    expect(await page.locator('#invite').count()).toBe(0);
  });

  test('reads that a future campaign has not started', async ({ page }) => {
    await page.clock.setFixedTime(new Date('2026-05-01T00:00:00Z'));
    await open(page, address('en-us', `${PATH}?activityId=${CAMPAIGN_EID}`));
    await page.getByText('The campaign has not started yet.').waitFor();
  });

  test('reads that a missing campaign does not exist', async ({ page }) => {
    await open(page, address('en-us', `${PATH}?activityId=7`));
    await page.getByText('This page could not be found').first().waitFor();
  });
});

test.describe('a member', EACH_LOCALE, () => {
  test('joins, sees the levels and gets an invitation link', async ({ page, context, locale }) => {
    const texts = TEXTS[locale];
    await logIn(context, MEMBERS.joiner[locale]);
    await open(page, address(locale, `${PATH}?activityId=${CAMPAIGN_REGULAR}`));
    const join = page.locator('#join').getByRole('button', { name: texts.join });
    const joined = page.locator('#join').getByText(texts.joined);
    await join.or(joined).waitFor();
    // The member may have joined in an earlier run on the same site.
    if (await join.isVisible()) await join.click();
    await joined.waitFor();
    // Two levels, and the reward of the top inviters beside the invitation.
    expect(await page.locator('#levels li').count()).toBe(2);
    expect(await page.locator('#invite ul').first().locator('li').count()).toBe(1);
    expect(await page.locator('#rewards').count()).toBe(0);
    await page.getByRole('button', { name: texts.link }).click();
    const link = page.locator('#invite input[readonly]');
    await link.waitFor();
    const url = new URL(await link.inputValue());
    expect(url.pathname).toBe(`/${locale}${PATH}`);
    const code = url.searchParams.get('inviteCode') ?? '';
    expect(code).toMatch(/^[A-Z0-9]{8}$/);
    expect(await page.locator('#invite').textContent()).toContain(code);
    await page.reload();
    await hydrated(page);
    await page.locator('#join').getByText(texts.joined).waitFor();
  });
});

/** Ends a member's session outside the browser, unnoticed by the open page. */
async function logOutElsewhere(context: BrowserContext) {
  const answer = await context.request.post(`${origin()}/api/passport/logout`);
  expect(answer.ok()).toBe(true);
}

test('the button leads a member without a valid session to the login', async ({
  page,
  context,
}) => {
  await logIn(context, MEMBERS.unopened);
  const checked = page.waitForResponse('**/passport/member/check');
  await open(page, address('en-us', `${PATH}?activityId=${CAMPAIGN_REGULAR}`));
  await checked;
  const join = page.locator('#join').getByRole('button', { name: TEXTS['en-us'].join });
  await join.waitFor();
  await logOutElsewhere(context);
  await join.click();
  await page.locator('#join').getByRole('link', { name: 'Log in to join' }).waitFor();
  await page.locator('#invite').getByRole('link').waitFor();
  const header = page.locator('[data-chrome="header"]');
  await header.getByRole('link', { name: 'Sign up / Log in' }).first().waitFor();
});

for (const [code, text] of [
  ['NOSUCH12', 'Invitation code does not exist.'],
  ['A', 'Invalid invitation code.'],
] as const)
  test(`the invitation code ${code} is refused: ${text}`, async ({ page, context }) => {
    await logIn(context, MEMBERS.unopened);
    await open(page, address('en-us', `${PATH}?activityId=${CAMPAIGN_REGULAR}`));
    await page.locator('#join input[name="inviteCode"]').fill(code);
    await page.locator('#join').getByRole('button', { name: TEXTS['en-us'].join }).click();
    await page.locator('#join').getByText(text).waitFor();
  });

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the campaign can be read', async ({ page }) => {
    await page.goto(address('en-us', `${PATH}?activityId=${CAMPAIGN_REGULAR}`));
    expect(await page.locator('#rules li').count()).toBeGreaterThan(3);
    const countries = await page.locator('#countries').textContent();
    for (const name of ['Saudi Arabia', 'Kuwait', 'Oman']) expect(countries).toContain(name);
  });
});
