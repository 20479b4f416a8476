import { MarginDiagram } from '~/features/products/MarginDiagram';
import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { definePage } from '~/lib/page/define-page';
import { ProductPage } from '../ProductPage';

/** Fees that are shown while the schedule is unavailable. */
const LEVERAGE = '2';

/** `/invest/us-stocks`: a share in dollars, and the effect of borrowing for it. */
function UsStocksPage({ document }: { document: InvestPageJson }) {
  const leverage = Number(document.feeSchedule?.us?.marginMaxLeverage ?? LEVERAGE);
  return (
    <ProductPage
      product="us-stocks"
      document={document}
      diagram={<MarginDiagram leverage={leverage} />}
    />
  );
}

export default definePage({
  Component: UsStocksPage,
  messages: ['invest-product', 'invest-us-stocks', 'margin', 'open-account'],
});
