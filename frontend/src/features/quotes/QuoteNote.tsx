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
  /** Shown after each market's state. */
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
        return (
          quote && (
            <MarketSession key={market} quote={quote} market={market}>
              {children}
            </MarketSession>
          )
        );
      })}
    </div>
  );
}

/**
 * A market and its trading session, kept up to date. A new session replaces `children` with the
 * text before them, because moving them would count as a layout shift.
 */
export function MarketSession({
  quote,
  market,
  children,
}: {
  quote: QuoteJson;
  market: Market;
  children?: ReactNode;
}) {
  const common = useMessages('common');
  const t = useMessages('quotes');
  const session = sessionOf(useQuote(quote));
  if (!session) return null;
  return (
    <span data-live="">
      <span key={session} data-session={session}>
        {t('market', { market: common(`market.${market}`), state: t(`market.${session}`) })}
        {children}
      </span>
    </span>
  );
}
