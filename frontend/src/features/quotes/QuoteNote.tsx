import type { ReactNode } from 'react';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { MARKETS, type Market } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { sessionOf } from './price';
import styles from './QuoteNote.module.css';
import { useQuote } from './useQuote';

/** Notes on the prices above: simulated or not, and the state of their markets. */
export function QuoteNote({
  quotes,
  markets = MARKETS,
  children,
}: {
  quotes: readonly QuoteJson[];
  /** The markets whose state is not shown elsewhere. */
  markets?: readonly Market[];
  children?: ReactNode;
}) {
  const t = useMessages('quotes');
  return (
    <div className={styles.note}>
      {quotes.some(({ simulated }) => simulated) && (
        <strong className={styles.simulated}>{t('simulated')}</strong>
      )}
      {markets.map((market) => {
        const quote = quotes.find((one) => one.market === market);
        return quote && <MarketSession key={market} quote={quote} market={market} />;
      })}
      {children}
    </div>
  );
}

/** A market and its trading session, kept up to date. */
export function MarketSession({ quote, market }: { quote: QuoteJson; market: Market }) {
  const common = useMessages('common');
  const t = useMessages('quotes');
  const session = sessionOf(useQuote(quote));
  if (!session) return null;
  return (
    <span data-live="">
      <span key={session} data-session={session}>
        {t('market', { market: common(`market.${market}`), state: t(`market.${session}`) })}
      </span>
    </span>
  );
}
