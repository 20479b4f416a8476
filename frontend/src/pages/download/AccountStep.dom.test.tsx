import { afterEach, expect, test, vi } from 'vitest';
import { OpenAccount } from '~/features/account/OpenAccount';
import { type Addresses, actionOf } from '~/features/account/opening';
import { INITIAL_PROGRESS, progressStore } from '~/features/account/progress';
import { renderInPage } from '~/lib/page/render-in-page';
import { sessionStore } from '~/lib/session';
import { AccountStep } from './AccountStep';

let page: Awaited<ReturnType<typeof renderInPage>>;

afterEach(() => {
  sessionStore.update({ user: undefined });
  progressStore.update({ ...INITIAL_PROGRESS, addresses: undefined });
});

const OPENING = 'https://open.example/a';

async function show(member: object | undefined, status: number, isOpened = false, set = '') {
  const addresses: Addresses = set ? { AC_OPEN: set } : {};
  progressStore.update({ action: actionOf(status), addresses });
  const frame = { path: '/download', ...(member && { member }) };
  const step = (
    <>
      <OpenAccount className="header" />
      <AccountStep isOpened={isOpened} />
    </>
  );
  page = await renderInPage(step, ['open-account'], frame);
}

const title = () => page.container.querySelector('h2')?.textContent;
const links = () =>
  [...page.container.querySelectorAll('section a')].map((link) => link.getAttribute('href'));

test.each([
  [0, 'Next step: open your account in the app'],
  [5, 'Next step: correct your details in the app'],
  [2, 'Your application is in review'],
  [3, 'Your application is in review'],
])(
  'a member of status %d is told: %s; no button leads to the page itself',
  async (status, text) => {
    await show({ mid: '2' }, status);
    expect(title()).toBe(text);
    expect(page.container.querySelector('a.header')).toBeNull();
    expect(links()).toEqual([]);
  },
);

test('a visitor is led to the login first', async () => {
  await show(undefined, -1);
  expect(title()).toBe('Next step: sign up, then open your account in the app');
  expect(links()[0]).toMatch(/^\/en-us\/login\?target=%2Fen-us%2Fdownload/);
});

test('a configured web address is offered', async () => {
  await show({ mid: '2' }, 0, false, OPENING);
  expect(links()).toEqual([`${OPENING}?sceneFrom=SahmWebsite_openAccount&lang=en-US`]);
  expect(page.container.querySelector('a.header')).not.toBeNull();
});

test('an account that is open is in the app', async () => {
  await show({ mid: '7', opened: true, hsNo: 'SA-1' }, 4, true);
  expect(title()).toBe('Your account is in the app');
  expect(page.container.textContent).toContain('My Account');
});

test.each([
  [`${window.location.origin}/en-us/pricing`, '/en-us/pricing'],
  [`${window.location.origin}/en-us/download`, undefined],
  ['https://elsewhere.example/', undefined],
  ['', undefined],
])('the way back from %s is %s', async (referrer, path) => {
  vi.spyOn(document, 'referrer', 'get').mockReturnValue(referrer);
  await show({ mid: '2' }, 0);
  expect(links()).toEqual(path ? [`${window.location.origin}${path}`] : []);
});
