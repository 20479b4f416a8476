import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { FixedWidthPrice } from './FixedWidthPrice';
import { FreshnessMark } from './FreshnessMark';
import styles from './PriceChip.module.css';
import { PriceTime } from './PriceTime';
import { useQuote } from './useQuote';

/** A security with its live price in one line, for strips and beside text. */
export function PriceChip({ quote: initial }: { quote: QuoteJson }) {
  const quote = useQuote(initial);
  return (
    <span className={styles.chip}>
      <bdi className={styles.name}>{initial.name}</bdi>
      <span className={styles.figures} data-live="">
        <FixedWidthPrice initial={initial} quote={quote} />
        <FreshnessMark quote={quote} />
        <PriceTime quote={quote} className="visually-hidden" />
      </span>
    </span>
  );
}
