import { createElement } from 'react';
import type { LoaderFunction, RouteObject } from 'react-router';
import type { Locale } from '~/lib/locale';
import table from '../../routes.json';
import { Failed, Site } from './Site';

/** The id of the one route that renders; the page routes below it only load. */
const SITE_ROUTE = 'site';
const UNMATCHED_ROUTE = '*';

/**
 * The route table for one locale, with and without its prefix. All pages are rendered by the route
 * above them, from the payload of the innermost match, so that the layout outlives a navigation.
 * `only` leaves all pages but one out.
 */
export function routesFor(locale: Locale, loader: LoaderFunction, only?: string): RouteObject[] {
  const shown = table.routes.filter(({ id }) => only === undefined || id === only);
  const pages = shown.map(({ id, path }) => ({
    id,
    path: `/${locale}?${routerPath(path)}`,
    loader,
  }));
  return [
    {
      id: SITE_ROUTE,
      Component: Site,
      errorElement: createElement(Failed, { locale }),
      children: [...pages, { id: UNMATCHED_ROUTE, path: '*', loader }],
    },
  ];
}

/** `/news/content/{id?}` in the router's writing; the root as nothing, to stand behind a prefix. */
function routerPath(path: string): string {
  return path === '/' ? '' : path.replace(/\{(\w+)(\??)\}/g, ':$1$2');
}

/** The same data for every route that loads, by route id. */
export function everyRoute<T>(data: T): Record<string, T> {
  return Object.fromEntries(
    [...table.routes.map(({ id }) => id), UNMATCHED_ROUTE].map((id) => [id, data]),
  );
}
