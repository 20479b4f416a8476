import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';

export type Currency = 'USD' | 'SAR';

/**
 * Writes amounts of money in the page's language: `$1.99`, `SAR 3.00`, `3.00 ريال`. Two decimals
 * unless told; a decimal in a string keeps every digit that is asked for.
 */
export function useMoney() {
  const { locale } = usePage();
  const t = useMessages('chrome');
  return (
    value: number | string,
    currency: Currency,
    decimals: { least?: number; most?: number } = {},
  ) => {
    const { least = 2, most = 2 } = decimals;
    const amount = formatNumber(locale, value, {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
    });
    return t(currency === 'USD' ? 'money.usd' : 'money.sar', { amount });
  };
}
