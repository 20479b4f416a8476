import { describe, expect, it } from 'vitest';
import { articlePath, marketNewsPath, tabPath } from './paths';

describe('tabPath', () => {
  it.each([
    [{ id: '1', marketType: 'all' }, '/news'],
    [{ id: '2', marketType: 'us' }, '/news/us'],
    [{ id: '3', marketType: 'saudi' }, '/news/saudi'],
    [{ id: '9' }, '/news?tab=9'],
  ])('%j leads to %s', (tab, path) => {
    expect(tabPath(tab)).toBe(path);
  });
});

describe('marketNewsPath', () => {
  it.each([
    ['us', '/news/us'],
    ['saudi', '/news/saudi'],
    ['all', '/news'],
    [undefined, '/news'],
  ])('%s leads to %s', (market, path) => {
    expect(marketNewsPath(market)).toBe(path);
  });
});

describe('articlePath', () => {
  it('names the article', () => {
    expect(articlePath({ id: '2002' })).toBe('/news/content/2002');
  });
});
