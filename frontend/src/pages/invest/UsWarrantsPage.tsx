import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { GearingDiagram } from './GearingDiagram';
import { ProductPage } from './ProductPage';

/** `/invest/us-warrants`: the right to buy new shares, and its gearing. */
export function UsWarrantsPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="us-warrants" document={document} diagram={<GearingDiagram />} />;
}
