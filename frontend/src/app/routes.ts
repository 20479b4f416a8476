import { createElement } from 'react';
import { type LoaderFunction, matchRoutes, type RouteObject } from 'react-router';
import type { Locale } from '~/lib/locale';
import table from '../../routes.json';
import { isPageId, type PageId } from './pages';
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

/** The page a path is the address of, if the client can show it. */
export function pageAt(routes: RouteObject[], pathname: string): PageId | undefined {
  const id = leafAt(routes, pathname);
  return id !== UNMATCHED_ROUTE && isPageId(id) ? id : undefined;
}

/** The id of the innermost route that a path matches. */
export function leafAt(routes: RouteObject[], pathname: string): string {
  return matchRoutes(routes, pathname)?.at(-1)?.route.id ?? UNMATCHED_ROUTE;
}
