import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { type Currency, type Decimals, isolated, moneyParts } from './money';

export type { Currency } from './money';

/** Formats amounts without currency, where the text names it: `1.99`, `−10,000.00`. */
export function useAmount() {
  const { locale, dir } = usePage();
  return (value: number | string, decimals?: Decimals) => {
    const { sign, whole, fraction } = moneyParts(locale, value, decimals);
    const text = `${sign}${whole}${fraction}`;
    return sign && dir === 'rtl' ? isolated(text) : text;
  };
}

/**
 * Formats amounts for running text: `$1.99`, `−$2.00` in both languages, `SAR 3.00` and `3.00 ريال`
 * in words. Standalone amounts use `Money`.
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
