import { describe, expect, it } from 'vitest';
import { append, moreHref } from './cursor-page';

describe('moreHref', () => {
  it.each([
    ['/en-us/news', 'abc', '/en-us/news?cursor=abc'],
    ['/ar-sa/news?tab=2', 'abc', '/ar-sa/news?tab=2&cursor=abc'],
    ['/en-us/news/us?cursor=old', 'new', '/en-us/news/us?cursor=new'],
  ])('%s from %s is %s', (url, cursor, href) => {
    expect(moreHref(url, cursor)).toBe(href);
  });
});

describe('append', () => {
  it('keeps the order and drops what is shown already', () => {
    const ids = append([{ id: '3' }, { id: '2' }], [{ id: '2' }, { id: '1' }]).map(({ id }) => id);
    expect(ids).toEqual(['3', '2', '1']);
  });
});
