import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { BasketDiagram } from './BasketDiagram';
import { ProductPage } from './ProductPage';

/** `/invest/saudi-etfs`: many securities in one unit, and what its price has to do with them. */
export function SaudiEtfsPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="saudi-etfs" document={document} diagram={<BasketDiagram />} />;
}
