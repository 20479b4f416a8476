import type { Locale } from '~/lib/locale';
import table from '../../routes.json';
import { isPageId, type PageId } from './pages';

/** Pages by what stands before their path's parameters, which are all optional and at its end. */
const pages = new Map<string, { id: string; parameters: number }>();
for (const { id, path } of table.routes) {
  const [fixed = '', ...parameters] = path.split(/\/\{\w+\?\}/);
  pages.set(bare(fixed), { id, parameters: parameters.length });
}

/**
 * The page a path is the address of, with the locale's prefix or without one, if the client can show
 * it. The router's own matching takes a phone milliseconds for every link; it also finds pages in
 * other letter cases and in needless escapes.
 */
export function pageAt(locale: Locale, pathname: string): PageId | undefined {
  const prefix = `/${locale}`;
  let path = bare(
    `${pathname}/`.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname,
  );
  for (let left = 0; ; left += 1) {
    const page = pages.get(path);
    if (page && left <= page.parameters) return isPageId(page.id) ? page.id : undefined;
    if (path === '') return undefined;
    path = path.slice(0, path.lastIndexOf('/'));
  }
}

function bare(path: string): string {
  return path.replace(/\/+$/, '');
}
