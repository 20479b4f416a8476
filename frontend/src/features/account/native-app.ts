import { type NativeWindow, native } from '~/lib/bridge/bridge';
import type { Locale } from '~/lib/locale';
import { type Addresses, type Market, setFor, tagged } from './opening';

/** What of the address bar is needed where the app does not do what it is asked for. */
type Place = Pick<Location, 'href' | 'assign' | 'reload'>;

/**
 * Has the app log in, and shows the page again as to the member; goes to `loginPage` where the app
 * does not.
 */
export async function nativeLogin(
  window: NativeWindow,
  place: Place,
  loginPage: string,
): Promise<void> {
  const done = await native(window, 'login', { target: place.href });
  if (done) place.reload();
  else place.assign(loginPage);
}

/**
 * Has the app open an account: config's address as it is set, with `sceneFrom` and `lang`. The app
 * puts its token in, and knows what stands behind a path of its own (`/` for US).
 * Goes to `page` where none is set, or the app does not.
 */
export async function openByApp(
  window: NativeWindow,
  place: Place,
  { locale, addresses, market }: { locale: Locale; addresses: Addresses; market: Market },
  page: string,
): Promise<void> {
  const set = setFor(market, addresses);
  const url = tagged(locale, set, 'SahmWebsite_openAccount');
  if (!set || !(await native(window, 'open', { url }))) place.assign(page);
}
