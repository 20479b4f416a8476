import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { type DayColumns, PriceRow, PriceRowHeader } from './PriceRow';
import styles from './QuoteList.module.css';
import { QuoteNote } from './QuoteNote';

/** Live prices of securities, with notes on their source. */
export function QuoteList({
  quotes,
  unavailable = false,
  day,
}: {
  quotes: readonly QuoteJson[];
  /** The quotes service did not respond. */
  unavailable?: boolean;
  /** More about each security's day where there is room. */
  day?: DayColumns;
}) {
  const t = useMessages('quotes');
  if (unavailable) return <p className={styles.unavailable}>{t('unavailable')}</p>;
  return (
    <ErrorBoundary>
      {day && <PriceRowHeader day={day} />}
      <ul className={styles.list}>
        {quotes.map((quote) => (
          <li key={quote.securityCode}>
            <PriceRow quote={quote} day={day} />
          </li>
        ))}
      </ul>
      <QuoteNote quotes={quotes} />
    </ErrorBoundary>
  );
}
