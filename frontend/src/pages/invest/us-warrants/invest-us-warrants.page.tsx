import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { definePage } from '~/lib/page/define-page';
import { ProductPage } from '../ProductPage';
import { GearingDiagram } from './GearingDiagram';

/** `/invest/us-warrants`: the right to buy new shares, and its gearing. */
function UsWarrantsPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="us-warrants" document={document} diagram={<GearingDiagram />} />;
}

export default definePage({
  Component: UsWarrantsPage,
  messages: ['invest-product', 'invest-us-warrants', 'open-account'],
});
