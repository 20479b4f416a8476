import { marketOf, type Product } from '~/features/products/products';
import { useProductTexts } from '~/features/products/texts';
import { useMessages } from '~/lib/messages/messages';
import styles from './TradingFacts.module.css';

/** How orders are placed and settled under the rules of the product's market. */
export function TradingFacts({ product }: { product: Product }) {
  const invest = useMessages('invest-more');
  const t = useProductTexts(product);
  const market = marketOf(product);
  const rows = [
    [invest('trade.hours'), invest(`trade.hours.${market}`)],
    [invest('trade.outside'), invest(`trade.outside.${market}`)],
    [invest('trade.orders'), t('orders')],
    [invest('trade.settlement'), invest(`trade.settlement.${market}`)],
    [invest('trade.limits'), t('limits')],
    [t('special.name'), t('special.text')],
  ] as const;
  return (
    <dl className={styles.facts}>
      {rows.map(([name, text]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
