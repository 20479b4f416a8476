import { nameIn } from '~/features/menu/names';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Badge } from '~/ui/Badge';
import { Time } from '~/ui/Time';
import { Change } from './Change';
import { DayRange } from './DayRange';
import { Price } from './Price';
import styles from './PriceRow.module.css';
import { freshnessOf } from './price';
import { Sparkline } from './Sparkline';
import { useQuote } from './useQuote';

/**
 * A security with its live price, the price's time and what it did today. `brief` leaves the day's
 * range and the line out, for narrow columns.
 */
export function PriceRow({ quote: initial, brief = false }: { quote: QuoteJson; brief?: boolean }) {
  const { locale } = usePage();
  const t = useMessages('quotes');
  const quote = useQuote(initial);
  const { securityCode = '', exchange, currency, time = 0 } = quote;
  const freshness = freshnessOf(quote);
  return (
    <div className={brief ? styles.row : `${styles.row} ${styles.whole}`}>
      <p className={styles.who}>
        <bdi className={styles.name}>{nameIn(locale, initial)}</bdi>
        <span className={styles.code}>
          <bdi dir="ltr">{securityCode}</bdi>
          {exchange && (
            <>
              {' · '}
              <bdi>{exchange}</bdi>
            </>
          )}
        </span>
      </p>
      {!brief && (
        <div className={styles.day} data-live="">
          <DayRange quote={quote} />
          <Sparkline code={securityCode} currency={currency === 'USD' ? 'USD' : 'SAR'} />
        </div>
      )}
      <p className={styles.figures} data-live="">
        <Price quote={quote} />
        <Change quote={quote} />
        <span className={styles.when}>
          {freshness !== 'current' && quote.lastPrice && <Badge>{t(`mark.${freshness}`)}</Badge>}
          {time > 0 && <Time epoch={time} />}
        </span>
      </p>
    </div>
  );
}
