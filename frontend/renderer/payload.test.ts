import { expect, test } from 'vitest';
import { readPayload } from './payload';

const payload = {
  build: 'b',
  page: 'news',
  visitor: { locale: 'en-us', platform: 'pc', theme: 'auto' },
  url: '/en-us/news',
  document: {},
};

test('a payload is read as it is', () => {
  expect(readPayload(JSON.stringify(payload))).toEqual(payload);
});

test.each([
  ['{', 'not JSON'],
  ['[]', 'not an object'],
  ['null', 'not an object'],
  [{ ...payload, build: 1 }, 'build is not a text'],
  [{ ...payload, page: undefined }, 'page is not a text'],
  [{ ...payload, url: 'https://x' }, 'url is not a path'],
  [{ ...payload, visitor: null }, 'visitor is missing'],
  [{ ...payload, visitor: { locale: 'fr' } }, 'visitor.locale is unknown'],
  [{ ...payload, visitor: { locale: 'constructor' } }, 'visitor.locale is unknown'],
  [{ ...payload, visitor: { ...payload.visitor, platform: 'tv' } }, 'visitor.platform is unknown'],
  [{ ...payload, visitor: { ...payload.visitor, theme: 1 } }, 'visitor.theme is unknown'],
  [{ ...payload, document: [] }, 'document is missing'],
])('%j: %s', (body, problem) => {
  expect(readPayload(typeof body === 'string' ? body : JSON.stringify(body))).toEqual({ problem });
});
