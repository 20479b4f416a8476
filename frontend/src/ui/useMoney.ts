import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';

export type Currency = 'USD' | 'SAR';

/** How many decimals an amount is written with. */
interface Decimals {
  least?: number;
  most?: number;
}

/**
 * Writes amounts without a currency, where the text around names it: `1.99`, `-10,000.00`. Two
 * decimals unless told.
 */
export function useAmount() {
  const { locale, dir } = usePage();
  return (value: number | string, { least = 2, most = 2 }: Decimals = {}) => {
    const isNegative = String(value).startsWith('-');
    const size = formatNumber(locale, isNegative ? String(value).slice(1) : value, {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    });
    if (!isNegative) return size;
    // From right to left the sign is kept at its digits.
    return dir === 'rtl' ? `\u2066-${size}\u2069` : `-${size}`;
  };
}

/**
 * Writes amounts of money in the page's language: `$1.99`, `-$2.00`, `SAR 3.00`, `3.00 ريال`. Two decimals
 * unless told; a decimal in a string keeps every digit that is asked for.
 */
export function useMoney() {
  const { dir } = usePage();
  const write = useAmount();
  const t = useMessages('chrome');
  return (value: number | string, currency: Currency, decimals?: Decimals) => {
    // From left to right the sign stands before all.
    const isBefore = dir === 'ltr' && String(value).startsWith('-');
    const amount = write(isBefore ? String(value).slice(1) : value, decimals);
    const text = t(currency === 'USD' ? 'money.usd' : 'money.sar', { amount });
    return isBefore ? `-${text}` : text;
  };
}
