import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { useMessages } from '~/lib/messages/messages';
import { useMoney } from '~/ui/useMoney';
import styles from './Price.module.css';
import { currencyOf, decimalsOf } from './price';

/** The last price: its whole part strong, its decimals softer. */
export function Price({ quote }: { quote: QuoteJson }) {
  const money = useMoney();
  const t = useMessages('quotes');
  const { lastPrice } = quote;
  if (!lastPrice) return <span className={styles.none}>{t('none')}</span>;
  const decimals = decimalsOf(lastPrice);
  const text = money(lastPrice, currencyOf(quote), {
    least: decimals,
    most: decimals,
  });
  const [, before = text, part = '', after = ''] = /^(.*\d)(\.\d+)(.*)$/.exec(text) ?? [];
  return (
    <bdi key={text} className={styles.price}>
      {before}
      <span className={styles.part}>{part}</span>
      {after}
    </bdi>
  );
}
