import { MarginDiagram } from '~/features/products/MarginDiagram';
import { defineProductPage } from '../ProductPage';

/** The leverage that is shown while the fee schedule is unavailable. */
const LEVERAGE = '2';

/** A share in dollars, and the effect of borrowing for it. */
export default defineProductPage({
  product: 'us-stocks',
  Diagram: ({ feeSchedule }) => (
    <MarginDiagram
      leverage={Number(feeSchedule?.us?.marginMaxLeverage ?? LEVERAGE)}
      currency="USD"
    />
  ),
  messages: ['margin'],
});
