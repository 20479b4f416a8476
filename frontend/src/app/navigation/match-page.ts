import { PATHS } from '~/gen/routes';
import type { Locale } from '~/lib/locale';
import { isPageId, type PageId } from '../pages';

/** Pages by the static part of their path. Parameters are optional and at the end. */
const pages = new Map<string, { id: string; parameters: number }>();
for (const [id, path] of Object.entries(PATHS)) {
  const [fixed = '', ...parameters] = path.split(/\/\{\w+\?\}/);
  pages.set(withoutTrailingSlash(fixed), { id, parameters: parameters.length });
}

/**
 * The page of a path, with or without locale prefix, if the client can show it. This is the
 * browser's only matcher: the router has one route for all pages, and the response says which page
 * it is.
 */
export function matchPage(locale: Locale, pathname: string): PageId | undefined {
  const prefix = `/${locale}`;
  const isPrefixed = `${pathname}/`.startsWith(`${prefix}/`);
  let path = withoutTrailingSlash(isPrefixed ? pathname.slice(prefix.length) : pathname);
  for (let parameters = 0; ; parameters += 1) {
    const page = pages.get(path);
    if (page && parameters <= page.parameters) return isPageId(page.id) ? page.id : undefined;
    if (path === '') return undefined;
    path = path.slice(0, path.lastIndexOf('/'));
  }
}

function withoutTrailingSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
