import { expect, test } from 'vitest';
import type { PagePayload } from '~/lib/page/payload';
import { keepPrefetched, payloadOf, resultOf, takePrefetched } from './document';

const page = { build: 'b', page: 'news', document: {} };

test.each([
  [200, page, { kind: 'page', ...page }],
  [404, { ...page, page: 'not-found' }, { kind: 'page', ...page, page: 'not-found' }],
  [503, { ...page, page: 'error' }, { kind: 'page', ...page, page: 'error' }],
  [200, { redirect: '/ar-sa/x' }, { kind: 'document', url: '/ar-sa/x' }],
  [409, {}, { kind: 'document', url: '/en-us/news' }],
  [502, {}, { kind: 'error', status: 502 }],
  [200, {}, { kind: 'error', status: 200 }],
])('%d %j', (status, body, expected) => {
  expect(resultOf('/en-us/news', status, body)).toEqual(expected);
});

test('a document without layout data gets that of the page before it', () => {
  const current: PagePayload = {
    build: 'b',
    page: 'home',
    visitor: { locale: 'en-us', platform: 'pc', theme: 'auto' },
    url: '/en-us',
    document: { frame: { page: 'home', layoutData: { version: 'v1' } } },
  };
  const after = (frame: object) =>
    payloadOf('/en-us/news', { kind: 'page', ...page, document: { frame } }, current).document
      .frame;
  expect(after({ page: 'news' })).toEqual({ page: 'news', layoutData: { version: 'v1' } });
  expect(after({ layoutData: { version: 'v2' } })).toEqual({ layoutData: { version: 'v2' } });
});

test('a prefetched page is used once, and not when it is old', () => {
  const result = { kind: 'page', ...page } as const;
  keepPrefetched('/a', result, 0);
  expect(takePrefetched('/a', 10_000)).toBe(result);
  expect(takePrefetched('/a', 10_000)).toBeUndefined();
  keepPrefetched('/a', result, 0);
  expect(takePrefetched('/a', 10_001)).toBeUndefined();
});

test('a result that is no page is not stored', () => {
  keepPrefetched('/a', { kind: 'document', url: '/a' }, 0);
  keepPrefetched('/b', { kind: 'error', status: 0 }, 0);
  expect(takePrefetched('/a', 0)).toBeUndefined();
  expect(takePrefetched('/b', 0)).toBeUndefined();
});

test('only the newest are kept', () => {
  const result = { kind: 'page', ...page } as const;
  for (let index = 0; index <= 20; index++) keepPrefetched(`/${index}`, result, 0);
  expect(takePrefetched('/0', 0)).toBeUndefined();
  expect(takePrefetched('/1', 0)).toBe(result);
});
