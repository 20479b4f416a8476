import { LOCALE_IDS, LOCALES, type Locale, localeOfPath } from '~/lib/locale';
import { usePage } from '~/lib/page/page';

/**
 * A path under a locale: `/news` becomes `/ar-sa/news`; where query `lang` sets the language,
 * `lang` is set instead. Other addresses are unchanged.
 */
export function hrefIn(locale: Locale, to: string): string {
  if (!isSitePath(to)) return to;
  const path = pathOf(to);
  if (localeOfPath(path)) return to;
  if (isByQuery(path)) return hrefByQuery(locale, to);
  return to === '/' || /^\/[?#]/.test(to) ? `/${locale}${to.slice(1)}` : `/${locale}${to}`;
}

/** Whether an address is a path of this site (`/news`, not `//host`, `https:`, `#part`). */
export function isSitePath(to: string): boolean {
  return to.startsWith('/') && !to.startsWith('//') && !to.startsWith('/\\');
}

/** Removes the locale prefix: `/ar-sa/news` becomes `/news`. */
export function withoutLocale(pathname: string): string {
  const locale = localeOfPath(pathname);
  if (!locale) return pathname;
  return pathname.slice(locale.length + 1) || '/';
}

/**
 * The current path without its locale prefix; empty if the rest is not a path of this site
 * (`/en-us//host`), so that it is safe in a link.
 */
export function sitePathOf(pathname: string): string {
  const path = withoutLocale(pathname);
  return isSitePath(path) ? path : '';
}

/** Whether query `lang` sets a path's language (docs/redirects.md). */
function isByQuery(path: string): boolean {
  return /^\/(activitiesr|feature)\//.test(path);
}

/**
 * The same page in another language: replaces the prefix, removes `lang` and `_lang` from the
 * query, keeps the hash. Under `/activitiesr/` and `/feature/` it replaces query `lang` instead.
 */
export function languageHref(locale: Locale, path: string, search = '', hash = ''): string {
  if (isByQuery(path)) return hrefByQuery(locale, path + search + hash);
  return hrefIn(locale, withQuery((path || '/') + search + hash, ['lang', '_lang']));
}

/** An address without some query parameters and with others; the rest keeps its encoding. */
export function withQuery(
  address: string,
  removed: readonly string[],
  added: readonly string[] = [],
): string {
  const [, path = '', search = '', hash = ''] = /^([^?#]*)\??([^#]*)(.*)$/.exec(address) ?? [];
  const kept = search
    .split('&')
    .filter((pair) => pair !== '' && !removed.includes(pair.split('=', 1)[0] ?? ''));
  const query = [...kept, ...added].join('&');
  return `${path}${query && `?${query}`}${hash}`;
}

function hrefByQuery(locale: Locale, to: string): string {
  const [, path, search = '', hash] = /^([^?#]*)\??([^#]*)(.*)$/.exec(to) ?? [];
  const pairs = search.split('&').filter(Boolean);
  const isLang = (pair: string) => /^lang(=|$)/.test(pair);
  const others = pairs.filter((pair) => !isLang(pair));
  const at = pairs.findIndex(isLang);
  others.splice(at < 0 ? others.length : at, 0, `lang=${LOCALES[locale].tag}`);
  return `${path}?${others.join('&')}${hash}`;
}

export interface Paths {
  /** An address of the site with the page's locale prefix. */
  href(to: string): string;
  /** The page's path without prefix and query. */
  current: string;
  /** The value of `aria-current`: `page` on the address itself, `true` below it. */
  currentOf(to: string): 'page' | 'true' | undefined;
}

export function usePaths(): Paths {
  const { locale, frame } = usePage();
  const current = frame.path ?? '';
  return {
    href: (to) => hrefIn(locale, to),
    current,
    currentOf: (to) => currentAt(current, to),
  };
}

/**
 * `currentOf` for a page with the path `current`. A path that ends in `/list` or `/seed` is the start
 * page of its section: `/company-news/list` of `/company-news/…`.
 */
export function currentAt(current: string, to: string): 'page' | 'true' | undefined {
  const path = withoutLocale(pathOf(to));
  if (path === current) return 'page';
  const section = path.replace(/\/(list|seed)$/, '');
  return path !== '/' && current.startsWith(`${section}/`) ? 'true' : undefined;
}

export function otherLocale(locale: Locale): Locale {
  return LOCALE_IDS.find((id) => id !== locale) ?? locale;
}

function pathOf(to: string): string {
  return to.split(/[?#]/, 1)[0] ?? '';
}
