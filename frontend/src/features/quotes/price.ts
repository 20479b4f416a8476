import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { formatPercent } from '~/lib/format/format';
import type { Locale } from '~/lib/locale';
import type { Currency } from '~/ui/useMoney';

/** Which way a price went since the previous close. */
export type Direction = 'up' | 'flat' | 'down';

/** What stands where the change stands. */
export type QuoteState = 'delisted' | 'paused' | 'offering' | 'unpriced' | 'priced';

/** How a price is to be taken; `current` needs no mark. */
export type Freshness = 'current' | 'delayed' | 'old';

/** Negative is down, zero flat, positive up; what is no number is flat. */
export function directionOf(change: string | undefined): Direction {
  const value = Number(change ?? 0);
  if (value > 0) return 'up';
  return value < 0 ? 'down' : 'flat';
}

/**
 * A change given as a fraction (`0.0123`) as a percentage: times 100, two decimals, a plus before
 * what rose.
 */
export function formatChange(locale: Locale, change: string | undefined): string {
  const direction = directionOf(change);
  const size = (change ?? '').replace(/^[+-]/, '');
  const percent = formatPercent(locale, direction === 'flat' ? 0 : size, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  // The sign is the price's own: a fall that rounds to nothing is still a fall.
  const sign = { up: '+', flat: '', down: '-' }[direction];
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

/** The price outside the regular session, as a quote of its own. */
export interface ExtendedPriceOf {
  session: 'before' | 'after';
  price: QuoteJson;
}

const SESSIONS: Readonly<Record<number, ExtendedPriceOf['session']>> = { 2: 'before', 3: 'after' };

/** Undefined where there is none, or while the security does not trade. */
export function extendedOf(quote: QuoteJson): ExtendedPriceOf | undefined {
  const { lastPrice, highAndLowLimited = '', mktTmType = 0, time = 0 } = quote.pHqdata ?? {};
  const session = SESSIONS[mktTmType];
  if (!session || !lastPrice || stateOf(quote) !== 'priced') return undefined;
  return {
    session,
    price: { lastPrice, highAndLowLimited, currency: quote.currency ?? '', time },
  };
}

/** The regular session of a market (`mktTmType`). */
const OPEN = 1;

/** Whether the last price is that of a session that has ended. */
export function isClosingPrice(quote: QuoteJson): boolean {
  const { mktTmType = 0 } = quote;
  return mktTmType > OPEN && stateOf(quote) === 'priced';
}

/** How many decimals a price is written with: as many as it has, at least two. */
export function decimalsOf(price: string): number {
  return Math.max(2, price.split('.')[1]?.length ?? 0);
}

/** What a price is in: each market has one currency. */
export function currencyOf({ currency }: QuoteJson): Currency {
  return currency === 'USD' ? 'USD' : 'SAR';
}

/** The most that a share on the Saudi main market moves in a day; few others go farther. */
const DAILY_LIMIT = 0.1;

/** The price and the change with the most digits that the day is likely to see. */
export function widestOf({
  lastPrice = '',
  previousClose = '',
  highAndLowLimited = '',
}: QuoteJson): {
  price: string;
  change: string;
} {
  const price = Math.max(Number(lastPrice), Number(previousClose) * (1 + DAILY_LIMIT));
  const change = Math.max(Math.abs(Number(highAndLowLimited)), DAILY_LIMIT);
  return { price: price.toFixed(decimalsOf(lastPrice)), change: String(change) };
}
