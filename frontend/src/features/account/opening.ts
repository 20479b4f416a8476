import { pathTo } from '~/lib/links/path-to';
import { hrefIn, withQuery } from '~/lib/links/paths';
import { LOCALES, type Locale } from '~/lib/locale';
import type { Market } from '~/lib/market';

/** The next step of a member who opens an account. */
export type OpeningAction =
  | 'signUp'
  | 'openAccount'
  | 'modifyAccountInfo'
  | 'reviewAccount'
  | 'download';

/** The action of an account-opening status. Nothing is left to do for unknown statuses. */
export function actionOf(status: number | 'download'): OpeningAction {
  return ACTIONS[status] ?? 'download';
}

const ACTIONS: Readonly<Record<number | string, OpeningAction>> = {
  [-1]: 'signUp',
  0: 'openAccount',
  1: 'openAccount',
  2: 'reviewAccount',
  3: 'reviewAccount',
  5: 'modifyAccountInfo',
};

const LABELS = {
  signUp: 'open-account',
  openAccount: 'open-account',
  modifyAccountInfo: 'account.correct',
  reviewAccount: 'account.review',
  download: 'download-app',
} as const satisfies Record<OpeningAction, string>;

/** The message key (namespace `common`) that labels an action. */
export function openingLabel(action: OpeningAction) {
  return LABELS[action];
}

/** Addresses from config by key; unset ones are absent. */
export type Addresses = Readonly<Record<string, string>>;

/** Where on the site an account opening started. */
export type AccountScene = 'SahmWebsite_openAccount' | 'SahmWebsite_myAccount';

/** The app opens accounts for which no web address is set. */
const APP_PAGE = pathTo('download');

/**
 * Where a member opens an account: config's address of the market with `sceneFrom` and `lang`. An
 * address that needs the app's token works in the app only, so the download page is used instead.
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

/** Config's account-opening address, of which US accounts have their own; empty if unset. */
export function setFor(market: Market, addresses: Addresses): string {
  return addresses[market === 'us' ? 'AC_OPEN_US' : 'AC_OPEN'] ?? '';
}

/** The account portal with the visitor's origin. */
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

/** An address with `sceneFrom` and `lang` added. */
export function tagged(locale: Locale, address: string, scene: AccountScene): string {
  return withQuery(address, [], [`sceneFrom=${scene}`, `lang=${LOCALES[locale].tag}`]);
}
