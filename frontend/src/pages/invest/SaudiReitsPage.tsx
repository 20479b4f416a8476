import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { ProductPage } from './ProductPage';
import { RentDiagram } from './RentDiagram';

/** `/invest/saudi-reits`: rent that becomes distributions. */
export function SaudiReitsPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="saudi-reits" document={document} diagram={<RentDiagram />} />;
}
