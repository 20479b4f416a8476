import { StrictMode } from "react";
import { renderToString } from "react-dom/server";
import {
  createStaticRouter,
  matchRoutes,
  type RouteObject,
  StaticRouterProvider,
} from "react-router";
import { LOCALE_IDS, type Locale } from "~/lib/locale";
import type { PagePayload } from "~/lib/page/payload";
import { loadPage, pageIdOf } from "./load";
import { PAGES, type PageId } from "./pages";
import { routesFor } from "./routes";

const routes = new Map<Locale, RouteObject[]>(
  LOCALE_IDS.map((locale) => [locale, routesFor(locale, () => null)]),
);

/** Loads every page's code and texts, so that rendering waits for nothing. */
export async function loadAllPages(): Promise<PageId[]> {
  const pages = Object.keys(PAGES) as PageId[];
  await Promise.all(pages.flatMap((page) => LOCALE_IDS.map((locale) => loadPage(page, locale))));
  return pages;
}

/** The inner HTML of `#root`: a pure function of the payload. Throws when a component does. */
export function renderPage(payload: PagePayload): string {
  const { locale } = payload.visitor;
  const table = routes.get(locale) ?? [];
  const location = locationOf(payload.url || `/${locale}`);
  const matches = matchRoutes(table, location) ?? [];
  const leaf = matches.at(-1);
  const context = {
    basename: "/",
    location: { ...location, state: null, key: "default", mask: undefined },
    matches,
    loaderData: leaf ? { [leaf.route.id ?? ""]: payload } : {},
    actionData: null,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    actionHeaders: {},
  };
  return renderToString(
    <StrictMode>
      <StaticRouterProvider
        router={createStaticRouter(table, context)}
        context={context}
        hydrate={false}
      />
    </StrictMode>,
  );
}

/** A payload whose page this build does not have cannot be rendered by it. */
export function canRender(payload: PagePayload): boolean {
  return payload.page === pageIdOf(payload.page);
}

function locationOf(url: string) {
  const [path = "/", search] = url.split("?", 2);
  return { pathname: path, search: search ? `?${search}` : "", hash: "" };
}
