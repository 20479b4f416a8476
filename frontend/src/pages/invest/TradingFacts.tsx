import { marketOf, type Product } from '~/features/products/products';
import { useProductTexts } from '~/features/products/texts';
import { useMessages } from '~/lib/messages/messages';
import styles from './TradingFacts.module.css';

/** How orders are placed and settled under the rules of the product's market. */
export function TradingFacts({ product }: { product: Product }) {
  const common = useMessages('invest-more');
  const t = useProductTexts(product);
  const market = marketOf(product);
  const rows = [
    [common('trade.hours'), common(`trade.hours.${market}`)],
    [common('trade.outside'), common(`trade.outside.${market}`)],
    [common('trade.orders'), t('orders')],
    [common('trade.settlement'), common(`trade.settlement.${market}`)],
    [common('trade.limits'), t('limits')],
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
