import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { definePage } from '~/lib/page/define-page';
import { ProductPage } from '../ProductPage';
import { SettlementDiagram } from './SettlementDiagram';

/** `/invest/saudi-stocks`: a share, its trading day and its settlement. */
function SaudiStocksPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="saudi-stocks" document={document} diagram={<SettlementDiagram />} />;
}

export default definePage({
  Component: SaudiStocksPage,
  messages: ['invest-product', 'invest-saudi-stocks', 'open-account'],
});
