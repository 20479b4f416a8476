import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { formatCompact } from '~/lib/format/compact';
import { useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { usePage } from '~/lib/page/page';
import { CloseTime, sharedClose } from './CloseTime';
import styles from './DayList.module.css';
import { DayRange } from './DayRange';
import row from './PriceRow.module.css';
import { currencyOf } from './price';
import { QuoteList, QuoteRows } from './QuoteList';
import { QuoteNote } from './QuoteNote';
import { Sparkline } from './Sparkline';

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
