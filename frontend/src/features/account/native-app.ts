import { type NativeWindow, native } from '~/lib/bridge/bridge';
import type { Locale } from '~/lib/locale';
import type { Market } from '~/lib/market';
import { type Addresses, setFor, tagged } from './opening';

/** The parts of `location` for the fallback when the app does not respond. */
type PageLocation = Pick<Location, 'href' | 'assign' | 'reload'>;

/**
 * Asks the app to log in and reloads the page for the member; goes to `loginPage` if the app does
 * not respond.
 */
export async function nativeLogin(
  window: NativeWindow,
  location: PageLocation,
  loginPage: string,
): Promise<void> {
  const done = await native(window, 'login', { target: location.href });
  if (done) location.reload();
  else location.assign(loginPage);
}

/**
 * Asks the app to open an account at config's address with `sceneFrom` and `lang`. The app inserts
 * its token and resolves relative paths (`/` for US). Goes to `page` if no address is set or the
 * app does not respond.
 */
export async function openByApp(
  window: NativeWindow,
  location: PageLocation,
  { locale, addresses, market }: { locale: Locale; addresses: Addresses; market: Market },
  page: string,
): Promise<void> {
  const set = setFor(market, addresses);
  const url = tagged(locale, set, 'SahmWebsite_openAccount');
  if (!set || !(await native(window, 'open', { url }))) location.assign(page);
}
