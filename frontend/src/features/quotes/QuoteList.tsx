import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { isMarket } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { type DayColumns, PriceRow } from './PriceRow';
import styles from './QuoteList.module.css';
import { MarketSession, QuoteNote } from './QuoteNote';

/** Live prices of securities with the state of their markets, and a note on their source. */
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
      <QuoteRows quotes={quotes} sessions />
      <QuoteNote quotes={quotes} markets={[]} />
    </ErrorBoundary>
  );
}

/**
 * The rows of a list; with `day`, they show more about each security's day where there is room,
 * with `sessions` they show the state of its market.
 */
export function QuoteRows({
  quotes,
  day,
  sessions = false,
}: {
  quotes: readonly QuoteJson[];
  day?: DayColumns | undefined;
  sessions?: boolean;
}) {
  return (
    <ul className={styles.list}>
      {quotes.map((quote) => (
        <li key={quote.securityCode}>
          <PriceRow quote={quote} day={day}>
            {sessions && isMarket(quote.market) && (
              <MarketSession quote={quote} market={quote.market} />
            )}
          </PriceRow>
        </li>
      ))}
    </ul>
  );
}
