import { type ReactElement, StrictMode } from 'react';
import {
  createContext,
  createStaticHandler,
  createStaticRouter,
  type RouteObject,
  RouterContextProvider,
  type StaticHandler,
  StaticRouterProvider,
} from 'react-router';
import type { Locale } from '~/lib/locale';
import type { PagePayload } from '~/lib/page/payload';
import { routesFor } from './routes';

const supplied = createContext<PagePayload>();

interface PageSite {
  routes: RouteObject[];
  handler: StaticHandler;
}

const sites = new Map<string, PageSite>();

/** The route table for one page: matching an address to those of all others would cost a tenth of a render. */
function siteOf(locale: Locale, page: string): PageSite {
  const name = `${locale} ${page}`;
  let site = sites.get(name);
  if (!site) {
    const routes = routesFor(locale, ({ context }) => context.get(supplied), page);
    site = { routes, handler: createStaticHandler(routes) };
    sites.set(name, site);
  }
  return site;
}

/** What stands in `#root`, for the server to render. */
export async function pageTree(payload: PagePayload): Promise<ReactElement> {
  const { locale } = payload.visitor;
  const { routes, handler } = siteOf(locale, payload.page);
  const requestContext = new RouterContextProvider();
  requestContext.set(supplied, payload);
  // The host is never read: links are paths.
  const request = new Request(new URL(payload.url || `/${locale}`, 'http://site'));
  const context = await handler.query(request, { requestContext });
  if (context instanceof Response) throw new Error('a supplied document cannot redirect');
  return (
    <StrictMode>
      <StaticRouterProvider
        router={createStaticRouter(routes, context)}
        context={context}
        hydrate={false}
      />
    </StrictMode>
  );
}
