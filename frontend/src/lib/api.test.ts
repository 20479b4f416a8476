import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, dataOf, errorKey, errorText, post, postWithToast } from './api';

const ANY = '/x' as Operation<object, unknown>;
const NEWS = '/news/x' as Operation<{ id: string; size: number; cursor: string }, unknown>;

import type { Operation } from '~/gen/operations';
import { loadMessages } from './messages/messages';
import { dismissToast, toastStore } from './toasts';

const failureOf = (status: number, envelope?: Parameters<typeof dataOf>[1]) => {
  try {
    dataOf(status, envelope);
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error('no failure');
};

describe('dataOf', () => {
  test('success is code 10000000', () => {
    expect(dataOf(200, { code: 10_000_000, data: { items: [] } })).toEqual({ items: [] });
    expect(dataOf(200, { code: 10_000_000 })).toBeNull();
  });

  test.each([
    [401, { code: 10_000_006, msg: 'x' }, 'login', 10_000_006, 'x'],
    [200, { code: 10_000_007, msg: '' }, 'login', 10_000_007, ''],
    [401, undefined, 'login', 401, ''],
    [400, { code: 10_000_003, msg: 'wrong' }, 'service', 10_000_003, 'wrong'],
    [403, { code: 10_030_001, msg: 'signature' }, 'service', 10_030_001, ''],
    [404, { code: 20_390_030, msg: 'gone' }, 'service', 20_390_030, 'gone'],
    [503, undefined, 'service', 503, ''],
    [200, undefined, 'service', 200, ''],
  ] as const)('%d %j', (status, envelope, kind, code, message) => {
    expect(failureOf(status, envelope)).toMatchObject({ kind, code, text: message });
  });

  test('data of a failure stays, for instance wrong fields', () => {
    const data = { fields: { phone: 'too short' } };
    expect(failureOf(422, { code: 10_000_003, data }).data).toEqual(data);
  });

  test('a call that operators turned off is told from one that is unavailable', () => {
    const failed = (error: string) => failureOf(503, { code: 503, msg: 'Back at nine.', error });
    expect(failed('turned_off')).toMatchObject({ isTurnedOff: true, text: 'Back at nine.' });
    expect(failed('unavailable').isTurnedOff).toBe(false);
  });
});

test.each([
  ['timeout', 'failure.timeout'],
  ['service', 'failure.service'],
  ['login', undefined],
  ['cancelled', undefined],
] as const)('a failure of kind %s says %s', (kind, key) => {
  expect(errorKey({ kind })).toBe(key);
});

describe('call', () => {
  let server: Server;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const body = await text(request);
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          code: 10_000_000,
          data: { url: request.url, type: request.headers['content-type'], body },
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => void server.close());

  beforeEach(() => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const real = globalThis.fetch;
    // Addresses are relative in the browser.
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => real(origin + path, init));
  });

  test('is a form by POST, in the language of the page', async () => {
    const parameters = { id: '7', size: 4, cursor: undefined };
    expect(await post(NEWS, parameters, { locale: 'ar-sa' })).toEqual({
      url: '/api/news/x',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      body: 'id=7&size=4&lang=ar-SA',
    });
  });

  test('that is given up is cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(post(ANY, {}, { locale: 'en-us', signal })).rejects.toMatchObject({
      kind: 'cancelled',
    });
  });
});

describe('what is said of a failure', () => {
  beforeAll(() => loadMessages('en-us', 'common'));

  test.each([
    [new ApiError('service', 20_390_030, 'from the server'), 'from the server'],
    [new ApiError('service', 20_390_030), 'The article has been removed.'],
    [new ApiError('service', 20_360_014), 'The course has been removed.'],
    [new ApiError('service', 30_010_002), 'Page does not exist.'],
    [new ApiError('service', 500), 'Service maintenance in progress, please try again later.'],
    [new ApiError('timeout'), 'Poor network, please check and try again.'],
    [new ApiError('login', 10_000_006, 'log in'), ''],
    [new ApiError('cancelled'), ''],
  ])('%s: %s', (failure, text) => {
    expect(errorText(failure, 'en-us')).toBe(text);
  });
});

describe('postWithToast', () => {
  const FAILED = { code: 500, msg: 'It failed' };

  function answer(status: number, body: object) {
    vi.stubGlobal('document', { cookie: '' });
    vi.stubGlobal(
      'fetch',
      async () =>
        new Response(JSON.stringify(body), {
          status,
          headers: { 'content-type': 'application/json' },
        }),
    );
    dismissToast();
  }

  test('says its success', async () => {
    answer(200, { code: 10_000_000, data: 7 });
    const result = await postWithToast(ANY, {}, { locale: 'en-us', sucMsg: 'Saved' });
    expect(result).toEqual({ success: true, data: 7 });
    expect(toastStore.get()).toMatchObject({ kind: 'success', text: 'Saved' });
  });

  test.each([
    ['the server’s text', {}, 'It failed'],
    ['its own text', { errMsg: 'Mine' }, 'Mine'],
    ['nothing', { isHide: true }, undefined],
  ])('that fails rejects and says %s', async (_, options, text) => {
    answer(500, FAILED);
    await expect(postWithToast(ANY, {}, { locale: 'en-us', ...options })).rejects.toMatchObject({
      code: 500,
    });
    expect(toastStore.get()?.text).toBe(text);
  });

  test('with noError resolves without success', async () => {
    answer(500, FAILED);
    const result = await postWithToast(ANY, {}, { locale: 'en-us', noError: true });
    expect(result).toMatchObject({ success: false, failure: { code: 500 } });
    expect(toastStore.get()?.text).toBe('It failed');
  });
});
