import { describe, expect, it, test } from 'vitest';
import { channelPath, documentPath, firstHref } from './paths';

test.each([
  [
    { id: '142', slug: 'how-to-reach-us', kind: 'help-document' },
    '/support/detail/how-to-reach-us',
  ],
  [{ id: '142' }, '/support/detail/142'],
  [{ id: '142', slug: '' }, '/support/detail/142'],
  [{ id: '25', slug: 'disclaimer', kind: 'legal-document' }, '/terms-and-conditions/disclaimer'],
])('%j is at %s', (document, path) => {
  expect(documentPath(document)).toBe(path);
});

test.each([
  [{ id: '1', slug: 'getting-started' }, '/support/channel/getting-started'],
  [{ id: '1' }, '/support/channel/1'],
])('channel %j is at %s', (channel, path) => {
  expect(channelPath(channel)).toBe(path);
});

describe('firstHref', () => {
  it.each([
    ['/en-us/support/search?keyword=a%20b&cursor=c', '/en-us/support/search?keyword=a%20b'],
    ['/en-us/support/channel/1?cursor=b', '/en-us/support/channel/1'],
    ['/en-us/support/channel/1', '/en-us/support/channel/1'],
  ])('of %s is %s', (url, expected) => {
    expect(firstHref(url)).toBe(expected);
  });
});
