import { CloseTime, sharedClose } from '~/features/quotes/CloseTime';
import { QuoteList, QuoteRows } from '~/features/quotes/QuoteList';
import { MarketSession, QuoteNote } from '~/features/quotes/QuoteNote';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { MARKETS } from '~/lib/market';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import styles from './MarketQuotes.module.css';

/** Live prices by market, each below its market's state and, if all of them share it, its close. */
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
        const isStated = sharedClose(ofMarket);
        return (
          first && (
            <div key={market} className={styles.market}>
              <header className={styles.head}>
                <MarketSession quote={first} market={market}>
                  {isStated(first) && <CloseTime quote={first} className={styles.close} />}
                </MarketSession>
              </header>
              <QuoteRows
                quotes={ofMarket}
                day={{
                  row: styles.row,
                  timeClassOf: (quote) => (isStated(quote) ? 'visually-hidden' : undefined),
                }}
              />
            </div>
          )
        );
      })}
      <QuoteNote quotes={quotes} markets={[]} />
    </ErrorBoundary>
  );
}
