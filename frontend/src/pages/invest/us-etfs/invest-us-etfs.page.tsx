import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { definePage } from '~/lib/page/define-page';
import { ProductPage } from '../ProductPage';
import { ChargeDiagram } from './ChargeDiagram';

/** `/invest/us-etfs`: a market in one unit, and the effect of its annual charge. */
function UsEtfsPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="us-etfs" document={document} diagram={<ChargeDiagram />} />;
}

export default definePage({
  Component: UsEtfsPage,
  messages: ['invest-product', 'invest-us-etfs', 'open-account'],
});
