import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { definePage } from '~/lib/page/define-page';
import { ProductPage } from '../ProductPage';
import { BasketDiagram } from './BasketDiagram';

/** `/invest/saudi-etfs`: many securities in one unit, and how its price relates to them. */
function SaudiEtfsPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="saudi-etfs" document={document} diagram={<BasketDiagram />} />;
}

export default definePage({
  Component: SaudiEtfsPage,
  messages: ['invest-product', 'invest-saudi-etfs', 'open-account'],
});
