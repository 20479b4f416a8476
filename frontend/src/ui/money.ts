import { formatNumber, MINUS } from '~/lib/format/format';
import type { Locale } from '~/lib/locale';

export type Currency = 'USD' | 'SAR';

/** Decimals of an amount. */
export interface Decimals {
  least?: number;
  most?: number;
}

/** The displayed parts of an amount: `−`, `10,000`, `.50`. */
export interface MoneyParts {
  sign: '' | typeof MINUS;
  whole: string;
  /** Includes the point; empty without decimals. */
  fraction: string;
  /** The number that the currency's noun agrees with: after decimals it is singular in Arabic. */
  count: number;
}

/** Splits an amount for display; two decimals by default. A string keeps all requested digits. */
export function moneyParts(
  locale: Locale,
  value: number | string,
  { least = 2, most = Math.max(2, least) }: Decimals = {},
): MoneyParts {
  const isNegative = String(value).startsWith('-');
  const size = formatNumber(locale, isNegative ? String(value).slice(1) : value, {
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  });
  const [whole = '', decimals] = size.split('.');
  return {
    sign: isNegative ? MINUS : '',
    whole,
    fraction: decimals === undefined ? '' : `.${decimals}`,
    count: decimals === undefined ? Math.abs(Number(value)) : 0.5,
  };
}

/** Isolates a figure with its signs as left-to-right text. */
export function isolated(figure: string): string {
  return `\u2066${figure}\u2069`;
}
