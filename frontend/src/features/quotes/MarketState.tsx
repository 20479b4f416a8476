import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import secondary from '~/ui/secondary.module.css';
import styles from './MarketState.module.css';
import { sessionOf } from './price';
import { useQuote } from './useQuote';

/** The trading session of a quote's market, kept up to date. */
export function MarketState({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const session = sessionOf(useQuote(quote));
  if (!session) return null;
  return (
    <span className={secondary.small} data-live="">
      <span key={session} className={styles.word} data-session={session}>
        <span className={styles.text}>{t(`market.${session}`)}</span>
      </span>
    </span>
  );
}
