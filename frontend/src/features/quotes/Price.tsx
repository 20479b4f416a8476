import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { Money } from '~/ui/Money';
import styles from './Price.module.css';
import { currencyOf, decimalsOf } from './price';

/** The last price with muted decimals. */
export function Price({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const { lastPrice } = quote;
  if (!lastPrice) return <span className={styles.none}>{t('none')}</span>;
  const decimals = decimalsOf(lastPrice);
  return (
    <span key={lastPrice} className={styles.price}>
      <Money
        value={lastPrice}
        currency={currencyOf(quote)}
        least={decimals}
        most={decimals}
        softDecimals
      />
    </span>
  );
}
