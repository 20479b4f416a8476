import { expect, test } from 'vitest';
import { isClientLink } from './client-links';
import { mayPrefetch } from './prefetch';

const ORIGIN = 'https://sahm.example';

function link(href: string, target = '', attributes: string[] = []) {
  const { origin, pathname } = new URL(href, ORIGIN);
  return {
    href,
    target,
    origin,
    pathname,
    hasAttribute: (name: string) => attributes.includes(name),
  };
}

test.each([
  ['a page', link('/en-us/news'), true],
  ['home', link('/en-us'), true],
  ['with query and hash', link('/en-us/news?tab=2#x'), true],
  ['the other language', link('/ar-sa/news'), false],
  ['no prefix', link('/news'), false],
  ['an address of no page', link('/en-us/activity'), false],
  ['an address that is redirected', link('/en-us/activity/seed'), false],
  ['the college', link('/en-us/education'), true],
  ['another site', link('https://other.example/en-us/news'), false],
  ['a new tab', link('/en-us/news', '_blank'), false],
  ['a download', link('/en-us/news', '', ['download']), false],
  ['marked as a document', link('/en-us/news', '', ['data-document']), false],
  ['a file', link('/media/a.svg'), false],
])('the client follows %s: %s', (_, given, expected) => {
  expect(isClientLink(given, ORIGIN, { locale: 'en-us', platform: 'pc' })).toBe(expected);
});

test('in the app, links to education load documents', () => {
  const visitor = { locale: 'en-us', platform: 'app' } as const;
  expect(isClientLink(link('/en-us/education/category/1'), ORIGIN, visitor)).toBe(false);
  expect(isClientLink(link('/en-us/news'), ORIGIN, visitor)).toBe(true);
});

test.each([
  [undefined, true],
  [{ effectiveType: '4g' }, true],
  [{ effectiveType: '2g' }, false],
  [{ effectiveType: 'slow-2g' }, false],
  [{ effectiveType: '4g', saveData: true }, false],
])('prefetch on %j: %s', (connection, expected) => {
  expect(mayPrefetch(connection)).toBe(expected);
});
