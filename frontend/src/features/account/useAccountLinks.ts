import { usePaths } from '~/lib/links/paths';
import { useAddress } from '~/lib/links/useAddress';
import { usePage } from '~/lib/page/page';
import { loginHref } from './links';

/** Addresses of a visitor who is not logged in: both lead through the login page and back. */
export function useAccountLinks(): { login: string; openAccount: string } {
  const { locale } = usePage();
  const { current } = usePaths();
  const { search, hash } = useAddress();
  return {
    login: loginHref(locale, 'SahmWebsite_login', current, search, hash),
    openAccount: loginHref(locale, 'SahmWebsite_openAccount', current, search, hash),
  };
}
