import { pathTo } from '~/lib/links/path-to';
import { hrefIn } from '~/lib/links/paths';
import { LOCALES, type Locale } from '~/lib/locale';

/** What a member does next for an account. */
export type OpeningAction =
  | 'signUp'
  | 'openAccount'
  | 'modifyAccountInfo'
  | 'reviewAccount'
  | 'download';

/** Account-opening status to action; every other status has nothing left to do. */
export function actionOf(status: number | 'download'): OpeningAction {
  switch (status) {
    case -1:
      return 'signUp';
    case 0:
    case 1:
      return 'openAccount';
    case 5:
      return 'modifyAccountInfo';
    case 2:
    case 3:
      return 'reviewAccount';
    default:
      return 'download';
  }
}

const LABELS = {
  signUp: 'open-account',
  openAccount: 'open-account',
  modifyAccountInfo: 'account.correct',
  reviewAccount: 'account.review',
  download: 'download-app',
} as const satisfies Record<OpeningAction, string>;

/** The message (namespace `chrome`) that names the way to an action. */
export function openingLabel(action: OpeningAction) {
  return LABELS[action];
}

/** Addresses that config knows, by their keys; one that is unset is absent. */
export type Addresses = Readonly<Record<string, string>>;

/** Where on the site a way to an account began. */
export type AccountScene = 'SahmWebsite_openAccount' | 'SahmWebsite_myAccount';

/** Whose shares an account is for: US accounts have an address of their own. */
export type Market = 'saudi' | 'us';

/** The app is had here; it opens accounts where no address for the web is set. */
const APP_PAGE = pathTo('download');

/**
 * Where a member opens an account: config's address of the market, with `sceneFrom` and `lang`. An
 * address that waits for the app's token can only be used in the app, which the download page has.
 */
export function openingHref(
  locale: Locale,
  addresses: Addresses,
  action: OpeningAction,
  market: Market = 'saudi',
): string {
  const set = setFor(market, addresses);
  const usable = action !== 'download' && set !== '/' && isWebAddress(set);
  return withScene(locale, usable ? set : APP_PAGE, 'SahmWebsite_openAccount');
}

/** Config's address of opening an account of a market; empty while there is none. */
export function setFor(market: Market, addresses: Addresses): string {
  return addresses[market === 'us' ? 'AC_OPEN_US' : 'AC_OPEN'] ?? '';
}

/** The account portal, tagged with where the visitor comes from. */
export function myAccountHref(locale: Locale, addresses: Addresses): string {
  const set = addresses.MORE_ACCOUNT ?? '';
  return withScene(locale, isWebAddress(set) ? set : APP_PAGE, 'SahmWebsite_myAccount');
}

function isWebAddress(address: string): boolean {
  return !/\{\w+\}/.test(address) && /^(https:\/\/|\/(?![/\\]))/.test(address);
}

function withScene(locale: Locale, address: string, scene: AccountScene): string {
  return tagged(locale, hrefIn(locale, address), scene);
}

/** An address with `sceneFrom` and `lang`. */
export function tagged(locale: Locale, address: string, scene: AccountScene): string {
  const [rest = '', hash] = address.split('#', 2);
  const query = `sceneFrom=${scene}&lang=${LOCALES[locale].tag}`;
  return `${rest}${rest.includes('?') ? '&' : '?'}${query}${hash === undefined ? '' : `#${hash}`}`;
}
