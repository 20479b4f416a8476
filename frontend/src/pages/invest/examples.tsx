import type { ComponentType } from 'react';
import type { Product } from '~/features/products/products';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import type { SampleOrder } from './ProductFees';
import { RoundTrip } from './RoundTrip';
import { PremiumExample } from './saudi-etfs/PremiumExample';
import { YieldExample } from './saudi-reits/YieldExample';
import { HoldingExample } from './saudi-suku-bonds/HoldingExample';
import { ChargeExample } from './us-etfs/ChargeExample';
import { ExpiryExample } from './us-options/ExpiryExample';
import { SpreadExample } from './us-otc/SpreadExample';
import { GearingExample } from './us-warrants/GearingExample';

interface Worked {
  /** Works the product out in figures. */
  Example: ComponentType<{ schedule: FeeScheduleJson | undefined }>;
  /** The order whose fees are shown; none where the schedule has no fees for the product. */
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
