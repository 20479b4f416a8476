import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { formatPercent, MINUS } from '~/lib/format/format';
import type { Locale } from '~/lib/locale';
import type { Currency, Decimals } from '~/ui/money';

/** The direction of a price since the previous close. */
export type Direction = 'up' | 'flat' | 'down';

/** States that replace the change. */
export type QuoteState = 'delisted' | 'paused' | 'offering' | 'unpriced' | 'priced';

/** How fresh a price is; `current` has no mark. */
export type Freshness = 'current' | 'delayed' | 'old';

/** Negative is down, zero and non-numbers are flat, positive is up. */
export function directionOf(change: string | undefined): Direction {
  const value = Number(change ?? 0);
  if (value > 0) return 'up';
  return value < 0 ? 'down' : 'flat';
}

/**
 * Formats a change given as a fraction (`0.0123`) as a percentage with two decimals and a plus sign
 * for rises.
 */
export function formatChange(locale: Locale, change: string | undefined): string {
  const direction = directionOf(change);
  const size = (change ?? '').replace(/^[+-]/, '');
  const percent = formatPercent(locale, direction === 'flat' ? 0 : size, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  // The sign is that of the unrounded change: a fall that rounds to zero is still a fall.
  const sign = { up: '+', flat: '', down: MINUS }[direction];
  return sign + percent.replace(/[\u200e\u200f\u061c]/g, '');
}

export function stateOf({ status = 0, isPreIpo, lastPrice }: QuoteJson): QuoteState {
  if (status === 1) return 'delisted';
  if (status === 2) return 'paused';
  if (isPreIpo) return 'offering';
  return lastPrice ? 'priced' : 'unpriced';
}

export function freshnessOf({ isRealTime, isOld }: QuoteJson): Freshness {
  if (isOld) return 'old';
  return isRealTime ? 'current' : 'delayed';
}

const SESSIONS: Readonly<Record<number, 'before' | 'after'>> = { 2: 'before', 3: 'after' };

/**
 * The price outside the regular session, as a quote; undefined without one, or while the security is
 * not traded.
 */
export function extendedOf(quote: QuoteJson) {
  const { lastPrice, highAndLowLimited = '', mktTmType = 0, time = 0 } = quote.pHqdata ?? {};
  const session = SESSIONS[mktTmType];
  if (!session || !lastPrice || stateOf(quote) !== 'priced') return undefined;
  return {
    session,
    price: { lastPrice, highAndLowLimited, currency: quote.currency ?? '', time },
  };
}

const MARKET_SESSIONS = ['1', '2', '3', '4'] as const;

/** The trading session of a quote's market; undefined if it is unknown. */
export function sessionOf({ mktTmType }: QuoteJson): (typeof MARKET_SESSIONS)[number] | undefined {
  return MARKET_SESSIONS.find((session) => Number(session) === mktTmType);
}

/** The regular session of a market (`mktTmType`). */
const OPEN = 1;

/** Whether the last price is from a session that has ended. */
export function isClosingPrice(quote: QuoteJson): boolean {
  const { mktTmType = 0 } = quote;
  return mktTmType > OPEN && stateOf(quote) === 'priced';
}

/** A price's own decimals, at least two. */
export function decimalsOf(price: string): Required<Decimals> {
  const decimals = Math.max(2, price.split('.')[1]?.length ?? 0);
  return { minDecimals: decimals, maxDecimals: decimals };
}

/** The currency of a quote or of an event's amount. */
export function currencyOf({ currency }: Pick<QuoteJson, 'currency'>): Currency {
  return currency === 'USD' ? 'USD' : 'SAR';
}

/** The daily price limit of the Saudi main market; few other securities move farther. */
const DAILY_LIMIT = 0.1;

/** The price and change with the most digits that are likely on this day. */
export function widestOf({
  lastPrice = '',
  previousClose = '',
  highAndLowLimited = '',
}: QuoteJson) {
  const price = Math.max(Number(lastPrice), Number(previousClose) * (1 + DAILY_LIMIT));
  const change = Math.max(Math.abs(Number(highAndLowLimited)), DAILY_LIMIT);
  return { price: price.toFixed(decimalsOf(lastPrice).minDecimals), change: String(change) };
}
