import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { usePage } from '~/lib/page/page';
import { useAmount } from '~/ui/money';
import styles from './FixedWidthPrice.module.css';
import { Change, Price } from './Price';
import { currencyOf, decimalsOf, formatChange, stateOf, widestOf } from './price';

/**
 * Price and change with space for the widest values of the day, so that updates do not move the
 * layout. `initial` is the quote in the document, `quote` the current one.
 */
export function FixedWidthPrice({ initial, quote }: { initial: QuoteJson; quote: QuoteJson }) {
  const { locale } = usePage();
  const amount = useAmount();
  const { price, change } = widestOf(initial);
  const isPriced = stateOf(initial) === 'priced';
  // Two digits are slightly wider than the riyal sign, one is wider than the dollar sign.
  const sign = currencyOf(initial) === 'SAR' ? '00' : '0';
  return (
    <>
      <span
        className={styles.steady}
        data-widest={isPriced ? sign + amount(price, decimalsOf(price)) : undefined}
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
