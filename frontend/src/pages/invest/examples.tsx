import type { ComponentType } from 'react';
import { type Decimal, toText } from '~/features/fees/decimal';
import { marketOf, type Product } from '~/features/products/products';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { useMessages } from '~/lib/messages/messages';
import { useAmount, useMoney } from '~/ui/money';
import { ExampleTable } from './ExampleTable';
import tables from './ExampleTable.module.css';
import { feesOf, type SampleOrder } from './ProductFees';
import { PremiumExample } from './saudi-etfs/PremiumExample';
import { YieldExample } from './saudi-reits/YieldExample';
import { HoldingExample } from './saudi-suku-bonds/HoldingExample';
import { ChargeExample } from './us-etfs/ChargeExample';
import { ExpiryExample } from './us-options/ExpiryExample';
import { SpreadExample } from './us-otc/SpreadExample';
import { GearingExample } from './us-warrants/GearingExample';

interface Worked {
  /** A calculation for the product. */
  Example: ComponentType<{ schedule: FeeScheduleJson | undefined }>;
  /** The example order for the fees; absent if the schedule has no fees for the product. */
  order?: SampleOrder;
}

const SAUDI_SHARES = { count: '200', price: '50' };
const US_SHARES = { count: '100', price: '40' };

export const EXAMPLES: Readonly<Record<Product, Worked>> = {
  'saudi-stocks': {
    Example: ({ schedule }) => (
      <RoundTrip
        product="saudi-stocks"
        schedule={schedule}
        order={SAUDI_SHARES}
        sold={['54', '46']}
      />
    ),
    order: SAUDI_SHARES,
  },
  'saudi-etfs': { Example: PremiumExample, order: { count: '500', price: '10.20' } },
  'saudi-reits': { Example: YieldExample, order: { count: '1000', price: '8' } },
  'saudi-suku-bonds': { Example: HoldingExample },
  'us-stocks': {
    Example: ({ schedule }) => (
      <RoundTrip product="us-stocks" schedule={schedule} order={US_SHARES} sold={['44', '36']} />
    ),
    order: US_SHARES,
  },
  'us-etfs': { Example: ChargeExample, order: { count: '20', price: '100' } },
  'us-options': { Example: ExpiryExample },
  'us-warrants': { Example: GearingExample, order: { count: '500', price: '3' } },
  'us-otc': { Example: SpreadExample, order: { count: '1000', price: '1.10' } },
};

/** A purchase and a sale at a higher or lower price: the result after all fees. */
function RoundTrip({
  product,
  schedule,
  order: { count, price },
  sold,
}: {
  product: Product;
  schedule: FeeScheduleJson | undefined;
  order: SampleOrder;
  /** Two sale prices: one higher, one lower. */
  sold: readonly [string, string];
}) {
  const money = useMoney();
  const amount = useAmount();
  const t = useMessages('invest-more');
  const unavailable = useMessages('fees');
  const isUs = marketOf(product) === 'us';
  const bought = schedule && feesOf(product, schedule, { count, price });
  const [higher, lower] = sold.map(
    (at) => schedule && feesOf(product, schedule, { count, price: at }, 'sell'),
  );
  if (!bought || !higher || !lower) return <p>{unavailable('unavailable')}</p>;
  // The head names the currency: on phones the cells have no room for it.
  const write = (value: Decimal) => amount(toText(value));
  const result = (value: Decimal) => (
    <span className={value < 0n ? tables.fall : tables.rise}>
      {amount(toText(value), { plus: true })}
    </span>
  );
  const both = [higher, lower];
  return (
    <ExampleTable
      captionHidden
      caption={t('round.caption', {
        count: Number(count),
        price: money(price, isUs ? 'USD' : 'SAR'),
      })}
      head={[
        t('round.head', { market: isUs ? 'us' : 'saudi' }),
        ...sold.map((at, i) =>
          t(i === 0 ? 'round.higher' : 'round.lower', { price: money(at, isUs ? 'USD' : 'SAR') }),
        ),
      ]}
      rows={[
        { name: t('round.bought'), cells: both.map(() => write(-bought.amount)) },
        { name: t('round.buying'), cells: both.map(() => write(-bought.total)) },
        { name: t('round.sold'), cells: both.map((order) => write(order.amount)) },
        { name: t('round.selling'), cells: both.map(({ total }) => write(-total)) },
        {
          name: t('round.left'),
          cells: both.map((order) =>
            result(order.amount - order.total - bought.amount - bought.total),
          ),
          sum: true,
        },
      ]}
    />
  );
}
