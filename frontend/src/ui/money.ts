import { formatNumber } from '~/lib/format/format';
import type { Locale } from '~/lib/locale';

export type Currency = 'USD' | 'SAR';

/** How many decimals an amount is written with. */
export interface Decimals {
  least?: number;
  most?: number;
}

/** An amount in the parts that are set apart on a page: `-`, `10,000`, `.50`. */
export interface MoneyParts {
  sign: '' | '-';
  whole: string;
  /** With its point; empty where there are no decimals. */
  fraction: string;
}

/** Splits an amount for display; two decimals unless told. A string keeps every digit asked for. */
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
    sign: isNegative ? '-' : '',
    whole,
    fraction: decimals === undefined ? '' : `.${decimals}`,
  };
}

/** Keeps a figure with its signs in one piece, left to right, inside text of either direction. */
export function isolated(figure: string): string {
  return `\u2066${figure}\u2069`;
}
