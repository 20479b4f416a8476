import { matchRoutes } from 'react-router';
import { expect, test } from 'vitest';
import table from '../../routes.json';
import { PAGES } from './pages';
import { everyRoute, routesFor } from './routes';

const routeAt = (path: string, only?: string) =>
  matchRoutes(
    routesFor('ar-sa', () => null, only),
    path,
  )?.at(-1)?.route.id;

test.each([
  ['/ar-sa/news', 'news'],
  ['/news', 'news'],
  ['/ar-sa/news/us', '*'],
  ['/feature/college', '*'],
])('in the table of the news alone %s is %s', (path, route) => {
  expect(routeAt(path, 'news')).toBe(route);
});

test('every path has a route that loads', () => {
  expect(routeAt('/ar-sa/nothing')).toBe('*');
});

test('every route has a page', () => {
  for (const { id } of table.routes) expect(PAGES).toHaveProperty(id);
});

test('data for every route is there for each that loads', () => {
  const data = everyRoute('data');
  const [site] = routesFor('ar-sa', () => null);
  for (const { id, loader } of site?.children ?? []) {
    expect(loader).toBeDefined();
    expect(data[id ?? '']).toBe('data');
  }
  expect(site?.children?.length).toBe(Object.keys(data).length);
});
