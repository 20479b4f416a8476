import { describe, expect, test, vi } from 'vitest';
import {
  documentMember,
  expiryOf,
  isExpired,
  memberId,
  restoreSeedAbort,
  sessionStore,
  setSeedAbort,
} from '~/lib/session';
import { checkLogin, logOut } from './login';

const member = {
  logined: true,
  opened: false,
  openedSaudi: false,
  hsNo: null,
  mid: '7',
  isObtainSns: false,
};

function answer(status: number, body: object) {
  const respond = async () =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(respond);
  vi.stubGlobal('fetch', fetched);
  return fetched;
}

test.each([
  [1_000, false, 1_000],
  [1_000, true, 61_000],
])('a check at %d of one who is logged in: %s expires at %d', (now, logined, expiry) => {
  expect(expiryOf(now, logined)).toBe(expiry);
});

test.each([
  [1_001, true],
  [1_000, false],
  [999, false],
])('at %d the check is repeated: %s', (now, repeated) => {
  const session = { loginExpiredTime: 1_000, seedAbort: { id: 0, isShow: false } };
  expect(isExpired(now, session)).toBe(repeated);
});

test.each([
  [undefined, undefined, '0'],
  [undefined, '7', '7'],
  [member, undefined, '7'],
  [member, '8', '7'],
  [{ ...member, logined: false, mid: null }, '8', '0'],
])('of %j in a document of member %s events count for %s', (user, documentMid, id) => {
  const session = { loginExpiredTime: 0, seedAbort: { id: 0, isShow: false } };
  expect(memberId({ ...session, ...(user && { user }), ...(documentMid && { documentMid }) })).toBe(
    id,
  );
});

test('the member’s values are read from an element of the document', () => {
  expect(documentMember()).toEqual({});
  const script = document.createElement('script');
  script.type = 'application/json';
  script.id = 'sahm-member';
  script.textContent = '{"hsNo":"SA-1","mid":"7"}';
  document.body.append(script);
  expect(documentMember()).toEqual({ hsNo: 'SA-1', mid: '7' });
  script.remove();
});

describe('the login check', () => {
  test('sends the web client type and stores the member', async () => {
    const fetched = answer(200, { code: 10_000_000, data: member });
    await checkLogin('ar-sa', () => 5_000);
    const [path, init] = fetched.mock.calls[0] ?? [];
    expect(path).toBe('/api/passport/member/check');
    expect(String(init?.body)).toBe('_clientType=10&_lang=ar_SA&lang=ar-SA');
    expect(sessionStore.get()).toMatchObject({ user: member, loginExpiredTime: 65_000 });
  });

  test('that fails keeps the state', async () => {
    const before = sessionStore.get();
    answer(503, { code: 503, msg: 'x' });
    await checkLogin('en-us');
    expect(sessionStore.get()).toBe(before);
  });
});

describe('logging out', () => {
  test('sets the expiry to 1970 and discards the pending campaign', async () => {
    setSeedAbort({ id: 6666, isShow: true });
    answer(200, { code: 10_000_000, data: { done: true } });
    expect(await logOut('en-us')).toBe(true);
    expect(sessionStore.get()).toMatchObject({
      loginExpiredTime: 0,
      seedAbort: { id: 0, isShow: false },
    });
    restoreSeedAbort();
    expect(sessionStore.get().seedAbort).toEqual({ id: 0, isShow: false });
  });
});

test.each([
  ['{"id":6666,"isShow":true}', { id: 6666, isShow: true }],
  ['{"id":"x","isShow":true}', { id: 0, isShow: false }],
  ['{', { id: 0, isShow: false }],
])('%s as noted is %j', (noted, expected) => {
  setSeedAbort({ id: 0, isShow: false });
  window.sessionStorage.setItem('sahm-seed-abort', noted);
  restoreSeedAbort();
  expect(sessionStore.get().seedAbort).toEqual(expected);
});
