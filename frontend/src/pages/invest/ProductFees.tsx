import type { ReactNode } from 'react';
import { decimal, times } from '~/features/fees/decimal';
import { FeeSplit } from '~/features/fees/FeeSplit';
import {
  type FeeName,
  type OrderFees,
  type Side,
  saudiOrder,
  usOrder,
} from '~/features/fees/order';
import { useFeeRates } from '~/features/fees/useFeeRates';
import { useFeeSteps } from '~/features/fees/useFeeSteps';
import { marketOf, type Product } from '~/features/products/products';
import { useProductTexts } from '~/features/products/texts';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import { Money } from '~/ui/Money';
import { useMoney } from '~/ui/money';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import styles from './ProductMore.module.css';
import page from './ProductPage.module.css';

/** An example order: its count, and its price in the market's currency, as decimals. */
export interface SampleOrder {
  count: string;
  price: string;
}

/** The fees of an order; undefined if the schedule lacks one of them. */
export function feesOf(
  product: Product,
  schedule: FeeScheduleJson,
  order: SampleOrder,
  side: Side = 'buy',
): OrderFees | undefined {
  const [count, price] = [decimal(order.count), decimal(order.price)];
  return marketOf(product) === 'us'
    ? usOrder(schedule, side, count, price)
    : saudiOrder(schedule, times(count, price));
}

const SAUDI: readonly FeeName[] = [
  'commission',
  'regulator',
  'exchange',
  'settlement',
  'clearing',
  'vat',
];
const US: readonly FeeName[] = ['commission', 'settlement', 'sec', 'cat', 'vat'];

/** The product's costs: rates, and the fees of an example order. */
export function ProductFees({
  product,
  schedule,
  order,
}: {
  product: Product;
  schedule: FeeScheduleJson | undefined;
  order: SampleOrder;
}) {
  const unavailable = useMessages('fees');
  const fees = schedule && feesOf(product, schedule, order);
  return (
    <Section id="fees" className={sections.medium} aria-labelledby="fees-title">
      <div className={`${styles.example} ${styles.columns}`}>
        <div>
          <FeesInWords product={product} schedule={schedule}>
            {schedule ? (
              <Rates product={product} schedule={schedule} />
            ) : (
              <p className={styles.feesText}>{unavailable('unavailable')}</p>
            )}
          </FeesInWords>
        </div>
        {fees && <Example product={product} fees={fees} order={order} />}
      </div>
    </Section>
  );
}

/** What the product costs, and where all fees are listed. */
export function FeesInWords({
  product,
  schedule,
  children,
}: {
  product: Product;
  schedule: FeeScheduleJson | undefined;
  children?: ReactNode;
}) {
  const invest = useMessages('invest-more');
  const t = useProductTexts(product);
  const money = useMoney();
  const { optionsPremiumThreshold } = schedule?.us ?? {};
  const threshold = optionsPremiumThreshold
    ? money(optionsPremiumThreshold, 'USD', { maxDecimals: 6 })
    : 'none';
  return (
    <>
      <h2 id="fees-title" className={`${headings.small} ${page.title}`}>
        {invest('fees.title')}
      </h2>
      <p className={styles.feesText}>{t('fees.text', { threshold })}</p>
      {children}
      <TextLink to={pathTo('pricing')}>{invest('fees.all')}</TextLink>
    </>
  );
}

function Rates({ product, schedule }: { product: Product; schedule: FeeScheduleJson }) {
  const t = useMessages('fees');
  const market = marketOf(product);
  const rates = useFeeRates(schedule);
  return (
    <dl className={styles.rates}>
      {(market === 'us' ? US : SAUDI).map((name) => (
        <div key={name} className={styles.rate}>
          <dt>{t(name)}</dt>
          <dd>{name === 'sec' ? `${rates.us(name)} (${t('sells')})` : rates[market](name)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Example({
  product,
  fees,
  order,
}: {
  product: Product;
  fees: OrderFees;
  order: SampleOrder;
}) {
  const t = useProductTexts(product);
  const currency = marketOf(product) === 'us' ? 'USD' : 'SAR';
  const steps = useFeeSteps(fees, currency);
  return (
    <FeeSplit
      title={t.rich('fees.example', {
        count: Number(order.count),
        price: <Money value={order.price} currency={currency} />,
      })}
      fees={fees}
      currency={currency}
      rates={steps}
    />
  );
}
