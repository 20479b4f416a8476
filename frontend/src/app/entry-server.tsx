import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import {
  createContext,
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
} from 'react-router';
import { LOCALE_IDS, type Locale } from '~/lib/locale';
import type { PagePayload } from '~/lib/page/payload';
import { loadWholePage, pageIdOf } from './load';
import { PAGES, type PageId } from './pages';
import { routesFor } from './routes';

const supplied = createContext<PagePayload>();

function siteFor(locale: Locale) {
  const routes = routesFor(locale, ({ context }) => context.get(supplied));
  return { routes, handler: createStaticHandler(routes) };
}

const sites = { 'en-us': siteFor('en-us'), 'ar-sa': siteFor('ar-sa') };

/** Loads every page's code and texts, so that rendering waits for nothing. */
export async function loadAllPages(): Promise<PageId[]> {
  const pages = Object.keys(PAGES) as PageId[];
  await Promise.all(
    pages.flatMap((page) => LOCALE_IDS.map((locale) => loadWholePage(page, locale))),
  );
  return pages;
}

/** The inner HTML of `#root`: a pure function of the payload. Rejects when a component throws. */
export async function renderPage(payload: PagePayload): Promise<string> {
  const { locale } = payload.visitor;
  const { routes, handler } = sites[locale];
  const requestContext = new RouterContextProvider();
  requestContext.set(supplied, payload);
  // The host is never read: links are paths.
  const request = new Request(new URL(payload.url || `/${locale}`, 'http://site'));
  const context = await handler.query(request, { requestContext });
  if (context instanceof Response) throw new Error('a supplied document cannot redirect');
  return renderToString(
    <StrictMode>
      <StaticRouterProvider
        router={createStaticRouter(routes, context)}
        context={context}
        hydrate={false}
      />
    </StrictMode>,
  );
}

/** Whether this build has the payload's page. */
export function canRender(payload: PagePayload): boolean {
  return payload.page === pageIdOf(payload.page);
}
