import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';

export type Currency = 'USD' | 'SAR';

/**
 * Writes amounts of money in the page's language: `$1.99`, `-$2.00`, `SAR 3.00`, `3.00 ريال`. Two decimals
 * unless told; a decimal in a string keeps every digit that is asked for.
 */
export function useMoney() {
  const { locale, dir } = usePage();
  const t = useMessages('chrome');
  return (
    value: number | string,
    currency: Currency,
    decimals: { least?: number; most?: number } = {},
  ) => {
    const { least = 2, most = 2 } = decimals;
    const isNegative = String(value).startsWith('-');
    const size = formatNumber(locale, isNegative ? String(value).slice(1) : value, {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    });
    // From right to left the sign is kept at its digits; from left to right it stands before all.
    const amount = isNegative && dir === 'rtl' ? `\u2066-${size}\u2069` : size;
    const text = t(currency === 'USD' ? 'money.usd' : 'money.sar', { amount });
    return isNegative && dir === 'ltr' ? `-${text}` : text;
  };
}
