import { QuoteList, QuoteRows } from '~/features/quotes/QuoteList';
import { MarketSession, QuoteNote } from '~/features/quotes/QuoteNote';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { MARKETS } from '~/lib/market';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import styles from './MarketQuotes.module.css';

/** Live prices by market, each below its market's state. */
export function MarketQuotes({
  quotes,
  unavailable,
}: {
  quotes: readonly QuoteJson[];
  unavailable: boolean;
}) {
  if (unavailable) return <QuoteList quotes={quotes} unavailable />;
  return (
    <ErrorBoundary>
      {MARKETS.map((market) => {
        const ofMarket = quotes.filter((quote) => quote.market === market);
        const [first] = ofMarket;
        return (
          first && (
            <div key={market}>
              <header className={styles.head}>
                <MarketSession quote={first} market={market} />
              </header>
              <QuoteRows quotes={ofMarket} />
            </div>
          )
        );
      })}
      <QuoteNote quotes={quotes} markets={[]} />
    </ErrorBoundary>
  );
}
