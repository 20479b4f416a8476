import { formatNumber, MINUS } from '~/lib/format/format';
import type { Locale } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';

export type Currency = 'USD' | 'SAR';

/** Decimals of an amount. */
export interface Decimals {
  minDecimals?: number;
  maxDecimals?: number;
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
  { minDecimals = 2, maxDecimals = Math.max(2, minDecimals) }: Decimals = {},
): MoneyParts {
  const isNegative = String(value).startsWith('-');
  const size = formatNumber(locale, isNegative ? String(value).slice(1) : value, {
    minimumFractionDigits: minDecimals,
    maximumFractionDigits: maxDecimals,
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
function isolated(figure: string): string {
  return `\u2066${figure}\u2069`;
}

/**
 * Formats amounts without currency, where the text names it: `1.99`, `−10,000.00`; with `plus`, a
 * gain has a sign too.
 */
export function useAmount() {
  const { locale, dir } = usePage();
  return (
    value: number | string,
    { plus = false, ...decimals }: Decimals & { plus?: boolean } = {},
  ) => {
    const parts = moneyParts(locale, value, decimals);
    const { whole, fraction } = parts;
    const sign = parts.sign || (plus && Number(value) > 0 ? '+' : '');
    const text = `${sign}${whole}${fraction}`;
    return sign && dir === 'rtl' ? isolated(text) : text;
  };
}

/**
 * Formats amounts for running text: `$1.99`, `−$2.00` in both languages, `SAR 3.00` and `3.00 ريال`
 * in words. Standalone amounts and calculations use `Money`.
 */
export function useMoney() {
  const { locale, dir } = usePage();
  const t = useMessages('common');
  return (value: number | string, currency: Currency, decimals?: Decimals) => {
    const { sign, whole, fraction, count } = moneyParts(locale, value, decimals);
    const amount = `${whole}${fraction}`;
    if (currency === 'USD') {
      const text = sign + t('money.usd', { amount });
      return dir === 'rtl' ? isolated(text) : text;
    }
    if (dir === 'ltr') return sign + t('money.sar', { count, amount });
    return t('money.sar', { count, amount: sign ? isolated(sign + amount) : amount });
  };
}
