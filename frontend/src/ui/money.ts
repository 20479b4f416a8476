import { formatNumber } from '~/lib/format/format';
import type { Locale } from '~/lib/locale';

export type Currency = 'USD' | 'SAR';

/** Decimals of an amount. */
export interface Decimals {
  least?: number;
  most?: number;
}

/** The displayed parts of an amount: `-`, `10,000`, `.50`. */
export interface MoneyParts {
  sign: '' | '-';
  whole: string;
  /** Includes the point; empty without decimals. */
  fraction: string;
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
    sign: isNegative ? '-' : '',
    whole,
    fraction: decimals === undefined ? '' : `.${decimals}`,
  };
}

/** Isolates a figure with its signs as left-to-right text. */
export function isolated(figure: string): string {
  return `\u2066${figure}\u2069`;
}
