import { useSyncExternalStore } from 'react';
import { usePaths } from '~/lib/links/paths';
import { useAddress } from '~/lib/links/useAddress';
import { usePage } from '~/lib/page/page';
import { loginHref } from './links';
import { myAccountHref, type OpeningAction, openingHref } from './opening';
import { currentProgress, onProgress, UNKNOWN } from './progress';
import { useMember } from './useMember';

export interface AccountLinks {
  login: string;
  /** The way to an account: through the login for a visitor; by the opening status for a member. */
  openAccount: string;
  action: OpeningAction;
  myAccount: string;
}

/** The addresses that lead to logging in, to opening an account and to one's account. */
export function useAccountLinks(): AccountLinks {
  const { locale } = usePage();
  const { current } = usePaths();
  const { search, hash } = useAddress();
  const { logined } = useMember();
  const { action, addresses } = useSyncExternalStore(onProgress, currentProgress, () => UNKNOWN);
  // The login page's own address is no place to come back to.
  const back = current === '/login' ? ['', '', ''] : [current, search, hash];
  const [path = '', query, part] = back;
  const login = loginHref(locale, 'SahmWebsite_login', path, query, part);
  const viaLogin = !logined || action === 'signUp';
  return {
    login,
    openAccount: viaLogin
      ? loginHref(locale, 'SahmWebsite_openAccount', path, query, part)
      : openingHref(locale, addresses, action),
    action: viaLogin ? 'signUp' : action,
    myAccount: myAccountHref(locale, addresses),
  };
}
