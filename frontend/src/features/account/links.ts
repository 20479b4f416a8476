import { pathTo } from '~/lib/links/path-to';
import { hrefIn, withQuery } from '~/lib/links/paths';
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
  const back = hrefIn(locale, withQuery((path || '/') + search + hash, ['_scnl']));
  const query = `target=${encodeURIComponent(back)}&lang=${LOCALES[locale].tag}&sceneFrom=${scene}`;
  return `${hrefIn(locale, pathTo('login'))}?${query}`;
}
