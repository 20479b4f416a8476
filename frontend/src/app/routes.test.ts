import { expect, test } from 'vitest';
import table from '../../routes.json';
import { PAGES } from './pages';
import { leafAt, pageAt, routesFor } from './routes';

const routes = routesFor('ar-sa', () => null);

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
  expect(pageAt(routes, path)).toBe(page);
});

test.each([
  ['/ar-sa/news', 'news'],
  ['/news', 'news'],
  ['/ar-sa/news/us', '*'],
  ['/feature/college', '*'],
])('in the table of the news alone %s is %s', (path, route) => {
  expect(
    leafAt(
      routesFor('ar-sa', () => null, 'news'),
      path,
    ),
  ).toBe(route);
});

test('every path has a route that loads', () => {
  expect(leafAt(routes, '/ar-sa/nothing')).toBe('*');
});

test('every route has a page', () => {
  for (const { id } of table.routes) expect(PAGES).toHaveProperty(id);
});
