import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { type DayColumns, PriceRow } from './PriceRow';
import styles from './QuoteList.module.css';
import { QuoteNote } from './QuoteNote';

/** Live prices of securities, with notes on their source. */
export function QuoteList({
  quotes,
  unavailable = false,
}: {
  quotes: readonly QuoteJson[];
  /** The quotes service did not respond. */
  unavailable?: boolean;
}) {
  const t = useMessages('quotes');
  if (unavailable) return <p className={styles.unavailable}>{t('unavailable')}</p>;
  return (
    <ErrorBoundary>
      <QuoteRows quotes={quotes} />
      <QuoteNote quotes={quotes} />
    </ErrorBoundary>
  );
}

/** The rows of a list; with `day`, they show more about each security's day where there is room. */
export function QuoteRows({
  quotes,
  day,
}: {
  quotes: readonly QuoteJson[];
  day?: DayColumns | undefined;
}) {
  return (
    <ul className={styles.list}>
      {quotes.map((quote) => (
        <li key={quote.securityCode}>
          <PriceRow quote={quote} day={day} />
        </li>
      ))}
    </ul>
  );
}
