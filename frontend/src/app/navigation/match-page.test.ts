import { matchRoutes } from 'react-router';
import { describe, expect, test } from 'vitest';
import table from '../../../routes.json';
import { PAGE_IDS } from '../pages';
import { matchPage } from './match-page';

test.each([
  ['/', 'home'],
  ['/ar-sa', 'home'],
  ['/ar-sa/news', 'news'],
  ['/news', 'news'],
  ['/ar-sa/news/us', 'news-us'],
  ['/ar-sa/news/content/1001', 'news-content'],
  ['/ar-sa/news/content', 'news-content'],
  ['/ar-sa/notFound', 'not-found'],
  ['/en-us/news', undefined],
  ['/ar-sa/nothing', undefined],
  ['/ar-sa/news/us/more', undefined],
])('%s is %s', (path, page) => {
  expect(matchPage('ar-sa', path)).toBe(page);
});

test('every route has a page', () => {
  expect(PAGE_IDS).toEqual(expect.arrayContaining(table.routes.map(({ id }) => id)));
});

describe('react-router finds the same page', () => {
  const routes = [...table.routes, { id: '*', path: '*' }].map(({ id, path }) => ({
    id,
    path: id === '*' ? '*' : `/ar-sa?${path === '/' ? '' : path.replace(/\{(\w+)\?\}/g, ':$1?')}`,
  }));
  const byRouter = (path: string) => {
    const id = matchRoutes(routes, path)?.at(-1)?.route.id;
    return id === '*' ? undefined : id;
  };

  /** A route's paths with each possible number of parameters, and with one too many. */
  const writings = ({ path }: { path: string }): string[] => {
    const [fixed = '', ...rest] = path.split('/{');
    const given = ['12', 'licence', '%D8%B3', 'more'].slice(0, rest.length + 1);
    return [fixed, ...given.map((_, end) => [fixed, ...given.slice(0, end + 1)].join('/'))];
  };
  const paths = table.routes.flatMap(writings).map((path) => path.replace(/^\/\//, '/'));

  test.each([...new Set(paths)])('%s', (path) => {
    const bare = path === '/' ? '' : path;
    const written = [
      path,
      `/ar-sa${bare}`,
      `/ar-sa${bare}/`,
      `/ar-sa${bare}//`,
      `/en-us${bare}`,
      `/ar-sa/ar-sa${bare}`,
      `/ar-sa/x${bare}`,
      `/ar-sax${bare}`,
      `/ar-sa${bare}%2F1`,
    ];
    for (const one of written) expect(matchPage('ar-sa', one), one).toBe(byRouter(one));
  });

  test.each(['/AR-SA/news', '/ar-sa/NEWS', '/ar-sa/%6eews'])('%s is left to it', (path) => {
    expect(byRouter(path)).toBe('news');
    expect(matchPage('ar-sa', path)).toBeUndefined();
  });
});
