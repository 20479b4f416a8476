import { describe, expect, test } from 'vitest';
import { deviceOf, hasNative, type NativeWindow, native } from './bridge';
import { fakeNative } from './fake';

describe.each(['android', 'ios'] as const)('an app on %s', (system) => {
  test('is asked, and its answer counts', async () => {
    const { window, requests } = fakeNative(system, ({ method }) => method === 'share');
    const params = { title: 'a', text: 'b', url: 'https://sahm.example/' };
    expect(hasNative(window)).toBe(true);
    expect(await native(window, 'share', params)).toBe(true);
    expect(await native(window, 'title', { title: 'سهم' })).toBe(false);
    expect(requests.map(({ method, params }) => [method, params])).toEqual([
      ['share', params],
      ['title', { title: 'سهم' }],
    ]);
  });

  test('that does not answer has not done it', async () => {
    const { window } = fakeNative(system, () => undefined);
    expect(await native(window, 'login', { target: '/en-us' }, 1)).toBe(false);
  });

  test('gives each caller its own answer', async () => {
    const { window } = fakeNative(system, ({ id }) => id % 2 === 0);
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => native(window, 'open', { url: '/x' })),
    );
    expect(answers.filter(Boolean)).toHaveLength(2);
  });
});

test('outside the app nothing is done', async () => {
  const window: NativeWindow = new EventTarget();
  expect(hasNative(window)).toBe(false);
  expect(await native(window, 'open', { url: '/x' })).toBe(false);
});

test('an app that throws has not done it', async () => {
  const window: NativeWindow = Object.assign(new EventTarget(), {
    SahmApp: {
      postMessage() {
        throw new Error('gone');
      },
    },
  });
  expect(await native(window, 'open', { url: '/x' })).toBe(false);
});

test.each([
  [undefined, { sellClient: 10 }],
  [
    { deviceNo: 'd-1', sellClient: 21 },
    { sellClient: 21, deviceNo: 'd-1' },
  ],
  [{ deviceNo: 7, sellClient: '21' }, { sellClient: 10 }],
  [{ deviceNo: '', sellClient: -1 }, { sellClient: 10 }],
] as const)('%j reports as %j', (device, expected) => {
  const window = Object.assign(new EventTarget(), { SahmApp: { ...(device && { device }) } });
  expect(deviceOf(window, 10)).toEqual(expected);
});
