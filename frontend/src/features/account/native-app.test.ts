import { expect, test, vi } from 'vitest';
import { fakeNative } from '~/lib/bridge/fake';
import { nativeLogin, openByApp } from './native-app';

const HERE = 'https://sahm.example/en-us/invest/us-stocks';
const TAGS = 'sceneFrom=SahmWebsite_openAccount&lang=en-US';

function placeOf() {
  return { href: HERE, assign: vi.fn<(url: string) => void>(), reload: vi.fn<() => void>() };
}

test.each([
  [true, [], 1],
  [false, ['/en-us/login?target=x'], 0],
])('an app that has logged in: %s', async (ok, gone, reloads) => {
  const { window, requests } = fakeNative('ios', () => ok);
  const place = placeOf();
  await nativeLogin(window, place, '/en-us/login?target=x');
  expect(requests).toMatchObject([{ method: 'login', params: { target: HERE } }]);
  expect(place.assign.mock.calls.flat()).toEqual(gone);
  expect(place.reload).toHaveBeenCalledTimes(reloads);
});

const SET = { AC_OPEN: '{token}?_app_fullScreen=y', AC_OPEN_US: '/' };

test.each([
  [SET, 'saudi', [`{token}?_app_fullScreen=y&${TAGS}`]],
  [SET, 'us', [`/?${TAGS}`]],
  [{ AC_OPEN: 'https://open.example/a#s' }, 'saudi', [`https://open.example/a?${TAGS}#s`]],
  [{ AC_OPEN_US: '/' }, 'saudi', []],
] as const)('of %j the app opens for %s %j', async (addresses, market, urls) => {
  const { window, requests } = fakeNative('android', () => true);
  const place = placeOf();
  await openByApp(window, place, { locale: 'en-us', addresses, market }, '/en-us/download');
  expect(requests.map(({ method, params }) => [method, params])).toEqual(
    urls.map((url) => ['open', { url }]),
  );
  expect(place.assign.mock.calls.flat()).toEqual(urls.length > 0 ? [] : ['/en-us/download']);
});

test('if the app does not open it, the page follows the link', async () => {
  const { window } = fakeNative('android', () => false);
  const place = placeOf();
  const way = { locale: 'en-us', addresses: SET, market: 'saudi' } as const;
  await openByApp(window, place, way, '/en-us/download');
  expect(place.assign.mock.calls.flat()).toEqual(['/en-us/download']);
});
