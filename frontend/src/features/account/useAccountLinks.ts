import { pathTo } from '~/lib/links/path-to';
import { hrefIn, withQuery } from '~/lib/links/paths';
import { useAddress, useShownPath } from '~/lib/links/useAddress';
import { LOCALES, type Locale } from '~/lib/locale';
import type { Market } from '~/lib/market';
import { usePage } from '~/lib/page/page';
import { useStore } from '~/lib/store';
import { type Addresses, myAccountHref, openingHref } from './opening';
import { INITIAL_PROGRESS, progressStore } from './progress';
import { useMember } from './useMember';

/** The addresses of the login, of account opening and of the member's account. */
export function useAccountLinks(market: Market = 'saudi') {
  const { locale } = usePage();
  const current = useShownPath();
  const { search, hash } = useAddress();
  const { logined } = useMember();
  const { action, ...progress } = useStore(progressStore, (known) => known, INITIAL_PROGRESS);
  const document = useDocumentAddresses();
  const addresses = progress.addresses ?? document;
  // The login page does not return to itself.
  const back = current === pathTo('login') ? ['', '', ''] : [current, search, hash];
  const [path = '', query, part] = back;
  const login = loginHref(locale, 'SahmWebsite_login', path, query, part);
  const viaLogin = !logined || action === 'signUp';
  return {
    login,
    /** Opens an account: through the login for visitors, by account status for members. */
    openAccount: viaLogin
      ? loginHref(locale, 'SahmWebsite_openAccount', path, query, part)
      : openingHref(locale, addresses, action, market),
    action: viaLogin ? ('signUp' as const) : action,
    myAccount: myAccountHref(locale, addresses),
    addresses,
  };
}

/** The addresses in a member's document. */
function useDocumentAddresses(): Addresses {
  const { member } = usePage().frame;
  return Object.fromEntries(
    (member?.addresses ?? []).map(({ key = '', value = '' }) => [key, value]),
  );
}

/** Where on the site a login or an account opening started. */
type Scene = 'SahmWebsite_login' | 'SahmWebsite_openAccount';

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
