import { pathTo } from '~/lib/links/path-to';
import { hrefIn } from '~/lib/links/paths';
import { LOCALES, type Locale } from '~/lib/locale';

/** Where on the site a login or an account opening started. */
export type Scene = 'SahmWebsite_login' | 'SahmWebsite_openAccount';

/**
 * The login address. Query `target` is the page to return to, without `_scnl`; `lang` is the page's
 * language. `path` has no locale prefix; empty, as before hydration, returns to home.
 */
export function loginHref(
  locale: Locale,
  scene: Scene,
  path: string,
  search = '',
  hash = '',
): string {
  const kept = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !/^_scnl(=|$)/.test(pair));
  const back = hrefIn(
    locale,
    `${path || '/'}${kept.length > 0 ? `?${kept.join('&')}` : ''}${hash}`,
  );
  const query = `target=${encodeURIComponent(back)}&lang=${LOCALES[locale].tag}&sceneFrom=${scene}`;
  return `${hrefIn(locale, pathTo('login'))}?${query}`;
}
