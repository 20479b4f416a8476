import { LOCALE_IDS, LOCALES, type Locale, localeOfPath } from '~/lib/locale';
import { usePage } from '~/lib/page/page';

/**
 * `/news` under a locale: `/ar-sa/news`; where query `lang` names the language, under it there.
 * Addresses that leave the site stay as they are.
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

/** The path without its locale prefix: `/ar-sa/news` is `/news`. */
export function withoutLocale(pathname: string): string {
  const locale = localeOfPath(pathname);
  if (!locale) return pathname;
  return pathname.slice(locale.length + 1) || '/';
}

/**
 * An address bar's path without its locale prefix; empty where what is left is no path of this site
 * (`/en-us//host`), so that it can stand in a link.
 */
export function sitePathOf(pathname: string): string {
  const path = withoutLocale(pathname);
  return isSitePath(path) ? path : '';
}

/** Whether a path takes its language from query `lang` (docs/redirects.md). */
function isByQuery(path: string): boolean {
  return /^\/(activitiesr|feature)\//.test(path);
}

/**
 * The same page in another language: prefix swapped, query kept without `lang`
 * and `_lang`, hash kept. Under `/activitiesr/` and `/feature/` query `lang` is replaced instead.
 */
export function languageHref(locale: Locale, path: string, search = '', hash = ''): string {
  if (isByQuery(path)) return hrefByQuery(locale, path + search + hash);
  const kept = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !/^_?lang(=|$)/.test(pair));
  return hrefIn(locale, path || '/') + (kept.length > 0 ? `?${kept.join('&')}` : '') + hash;
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
  /** An internal address with the page's locale prefix. */
  href(to: string): string;
  /** The page's own path, without prefix and query. */
  current: string;
  /** For `aria-current`: `page` on the address itself, `true` below it. */
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

/** `currentOf` for a page whose own path is `current`. */
export function currentAt(current: string, to: string): 'page' | 'true' | undefined {
  const path = withoutLocale(pathOf(to));
  if (path === current) return 'page';
  return path !== '/' && current.startsWith(`${path}/`) ? 'true' : undefined;
}

export function otherLocale(locale: Locale): Locale {
  return LOCALE_IDS.find((id) => id !== locale) ?? locale;
}

function pathOf(to: string): string {
  return to.split(/[?#]/, 1)[0] ?? '';
}
