import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { formatCompact } from '~/lib/format/compact';
import { useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { usePage } from '~/lib/page/page';
import { type Currency, useAmount, useMoney } from '~/ui/money';
import styles from './DayList.module.css';
import { sparkline } from './day-series';
import { CloseTime, sharedClose } from './PriceTime';
import { currencyOf, decimalsOf } from './price';
import { QuoteList, QuoteNote, QuoteRows } from './QuoteList';
import row from './QuoteList.module.css';
import { useHistory } from './useQuote';

/**
 * Live prices of securities; wide lists show more about each security's day, and state the time of
 * a close once if all prices have it.
 */
export function DayList({
  quotes,
  unavailable,
}: {
  quotes: readonly QuoteJson[];
  unavailable: boolean;
}) {
  const [first] = quotes;
  if (unavailable || !first) return <QuoteList quotes={quotes} unavailable={unavailable} />;
  const isStated = sharedClose(quotes);
  const day = {
    Cells,
    row: styles.row,
    cells: styles.cells,
    timeClassOf: (quote: QuoteJson) => (isStated(quote) ? styles.stated : undefined),
  };
  return (
    <ErrorBoundary>
      <Header />
      <QuoteRows quotes={quotes} day={day} />
      <QuoteNote quotes={quotes}>
        {isStated(first) && <CloseTime quote={first} className={styles.close} />}
      </QuoteNote>
    </ErrorBoundary>
  );
}

/** The column headers of wide lists. Assistive technology reads each cell's name. */
function Header() {
  const t = useMessages('quotes');
  return (
    <p className={`${row.row} ${styles.row} ${styles.header}`} aria-hidden="true">
      <span>{t('column.security')}</span>
      <span className={styles.cells}>
        <span className={styles.sparkline} />
        <span className={styles.volume}>{t('column.volume')}</span>
        <span className={styles.range}>{t('column.range')}</span>
      </span>
      <span className={row.figures}>
        <span>{t('column.price')}</span>
        <span>{t('column.change')}</span>
      </span>
    </p>
  );
}

/** A security's day: its sparkline, its volume, and its price within the day's range. */
function Cells({ quote }: { quote: QuoteJson }) {
  return (
    <>
      <span className={styles.sparkline}>
        <Sparkline code={quote.securityCode ?? ''} currency={currencyOf(quote)} />
      </span>
      <span className={styles.volume}>
        <Volume quote={quote} />
      </span>
      <span className={styles.range}>
        <DayRange quote={quote} />
      </span>
    </>
  );
}

/** The day's volume, abbreviated; nothing if it is not known. */
function Volume({ quote: { volume } }: { quote: QuoteJson }) {
  const { locale } = usePage();
  const t = useMessages('quotes');
  if (!volume) return null;
  const text = formatCompact(locale, volume);
  // A new element for each text: changing text in place counts as a layout shift.
  return (
    <span key={text}>
      <span className="visually-hidden">{t('column.volume')}: </span>
      {text}
    </span>
  );
}

const RANGE_WIDTH = 96;

/** The last price within the day's range; nothing without trades. */
function DayRange({ quote }: { quote: QuoteJson }) {
  const amount = useAmount();
  const t = useMessages('quotes');
  const { low = '0', high = '0', lastPrice = '' } = quote;
  const place = placeIn(Number(low), Number(high), Number(lastPrice));
  if (place === undefined) return <span className={styles.prices} />;
  const write = (price: string) => amount(price, decimalsOf(price));
  return (
    <span className={styles.prices} dir="ltr" key={`${low} ${high} ${lastPrice}`}>
      <span aria-hidden="true">{write(low)}</span>
      <svg
        className={styles.bar}
        viewBox={`0 0 ${RANGE_WIDTH} 10`}
        role="img"
        aria-label={t('range', { low: write(low), high: write(high) })}
      >
        <path className={styles.line} d={`M1 5h${RANGE_WIDTH - 2}`} />
        <circle className={styles.dot} cx={4 + place * (RANGE_WIDTH - 8)} cy="5" r="3.5" />
      </svg>
      <span aria-hidden="true">{write(high)}</span>
    </span>
  );
}

/** The position between low and high, 0 to 1. */
function placeIn(low: number, high: number, price: number): number | undefined {
  if (!(low > 0 && high > low && price > 0)) return undefined;
  return Math.round(Math.min(1, Math.max(0, (price - low) / (high - low))) * 1000) / 1000;
}

/**
 * Prices since the page was opened, as a line; an empty box of the same size until there are two.
 * Time runs to the right in both languages, as on the exchanges' charts.
 */
function Sparkline({ code, currency }: { code: string; currency: Currency }) {
  const money = useMoney();
  const t = useMessages('quotes');
  const history = useHistory(code);
  const [first, last] = [history[0], history.at(-1)];
  if (!first || !last || history.length < 2) return <span className={styles.drawing} />;
  const label = t('spark', {
    from: money(first.price, currency),
    to: money(last.price, currency),
  });
  return (
    <svg
      className={styles.drawing}
      viewBox="0 0 80 28"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path
        className={last.price < first.price ? styles.down : styles.up}
        d={sparkline(
          history.map(({ price }) => price),
          80,
          28,
        )}
      />
    </svg>
  );
}
