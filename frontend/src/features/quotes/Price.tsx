import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { Badge } from '~/ui/Badge';
import { Money } from '~/ui/Money';
import secondary from '~/ui/secondary.module.css';
import styles from './Price.module.css';
import { currencyOf, decimalsOf, freshnessOf } from './price';

/** The last price with muted decimals. */
export function Price({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const { lastPrice } = quote;
  if (!lastPrice) return <span className={secondary.small}>{t('none')}</span>;
  const decimals = decimalsOf(lastPrice);
  return (
    <span key={lastPrice} className={styles.price}>
      <Money
        value={lastPrice}
        currency={currencyOf(quote)}
        minDecimals={decimals}
        maxDecimals={decimals}
        softDecimals
      />
    </span>
  );
}

/** Marks a delayed or outdated price; nothing for a current one. */
export function FreshnessMark({ quote }: { quote: QuoteJson }) {
  const t = useMessages('quotes');
  const freshness = freshnessOf(quote);
  if (freshness === 'current' || !quote.lastPrice) return null;
  return <Badge>{t(`mark.${freshness}`)}</Badge>;
}
