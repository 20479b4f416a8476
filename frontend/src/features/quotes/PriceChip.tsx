import { nameIn } from '~/features/menu/names';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { usePage } from '~/lib/page/page';
import { Time } from '~/ui/Time';
import { Change } from './Change';
import { FreshnessMark } from './FreshnessMark';
import { Price } from './Price';
import styles from './PriceChip.module.css';
import { useQuote } from './useQuote';

/** A security with its live price in one line, for strips and beside text. */
export function PriceChip({ quote: initial }: { quote: QuoteJson }) {
  const { locale } = usePage();
  const quote = useQuote(initial);
  return (
    <span className={styles.chip}>
      <bdi className={styles.name}>{nameIn(locale, initial)}</bdi>
      <span className={styles.figures} data-live="">
        <Price quote={quote} />
        <Change quote={quote} />
        <FreshnessMark quote={quote} />
        {quote.time ? <Time epoch={quote.time} className="visually-hidden" /> : null}
      </span>
    </span>
  );
}
