import { DayLine } from '~/features/quotes/DayLine';
import { FixedWidthPrice } from '~/features/quotes/FixedWidthPrice';
import { FreshnessMark } from '~/features/quotes/Price';
import { PriceTime } from '~/features/quotes/PriceTime';
import { directionOf } from '~/features/quotes/price';
import { useQuote } from '~/features/quotes/useQuote';
import type { DaySeriesJson } from '~/gen/sahm/quotes/v1/markets_pb';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import styles from './PhoneQuotes.module.css';

/** The app's watch list with live prices. */
export function PhoneQuotes({
  quotes,
  series,
}: {
  quotes: readonly QuoteJson[];
  series: readonly DaySeriesJson[];
}) {
  return (
    <ul className={styles.rows}>
      {quotes.map((quote) => (
        <Row
          key={quote.securityCode}
          quote={quote}
          series={series.find(({ code }) => code === quote.securityCode)}
        />
      ))}
    </ul>
  );
}

function Row({ quote: initial, series }: { quote: QuoteJson; series: DaySeriesJson | undefined }) {
  const quote = useQuote(initial);
  return (
    <li className={styles.row}>
      <p className={styles.who}>
        <bdi className={styles.name}>{initial.name}</bdi>
        <span className={styles.code}>
          <bdi dir="ltr">{quote.securityCode}</bdi> <FreshnessMark quote={quote} />
        </span>
      </p>
      <DayLine
        series={series}
        direction={directionOf(initial.highAndLowLimited)}
        className={styles.day}
      />
      <p className={styles.figures} data-live="">
        <FixedWidthPrice initial={initial} quote={quote} />
        <PriceTime quote={quote} className="visually-hidden" />
      </p>
    </li>
  );
}
