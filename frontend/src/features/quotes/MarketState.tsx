import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import secondary from '~/ui/secondary.module.css';
import styles from './MarketState.module.css';
import { useQuote } from './useQuote';

/** The trading session of a quote's market, kept up to date. */
export function MarketState({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const { mktTmType = 0 } = useQuote(quote);
  if (mktTmType < 1 || mktTmType > 4) return null;
  const time = String(mktTmType) as '1' | '2' | '3' | '4';
  return (
    <span className={secondary.small} data-live="">
      <span key={time} className={styles.word} data-session={time}>
        <span className={styles.text}>{t(`market.${time}`)}</span>
      </span>
    </span>
  );
}
