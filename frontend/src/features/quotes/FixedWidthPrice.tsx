import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { usePage } from '~/lib/page/page';
import { useAmount } from '~/ui/useMoney';
import { Change } from './Change';
import styles from './FixedWidthPrice.module.css';
import { Price } from './Price';
import { currencyOf, decimalsOf, formatChange, stateOf, widestOf } from './price';

/**
 * The price and its change, each as wide from the start as the day can make it, so that nothing
 * beside them moves. `initial` is the quote that the page came with, `quote` the one of now.
 */
export function FixedWidthPrice({ initial, quote }: { initial: QuoteJson; quote: QuoteJson }) {
  const { locale } = usePage();
  const amount = useAmount();
  const { price, change } = widestOf(initial);
  const decimals = decimalsOf(price);
  const widest = { least: decimals, most: decimals };
  const isPriced = stateOf(initial) === 'priced';
  // Two figures are a little wider than the riyal's sign, one than the dollar's.
  const sign = currencyOf(initial) === 'SAR' ? '00' : '0';
  return (
    <>
      <span
        className={styles.steady}
        data-widest={isPriced ? sign + amount(price, widest) : undefined}
      >
        <Price quote={quote} />
      </span>
      <span
        className={`${styles.steady} ${styles.arrow}`}
        data-widest={isPriced ? formatChange(locale, change) : undefined}
      >
        <Change quote={quote} />
      </span>
    </>
  );
}
