import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { ChargeDiagram } from './ChargeDiagram';
import { ProductPage } from './ProductPage';

/** `/invest/us-etfs`: a market in one unit, and what its yearly charge takes. */
export function UsEtfsPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="us-etfs" document={document} diagram={<ChargeDiagram />} />;
}
