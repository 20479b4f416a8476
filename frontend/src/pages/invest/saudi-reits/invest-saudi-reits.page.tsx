import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { definePage } from '~/lib/page/define-page';
import { ProductPage } from '../ProductPage';
import { RentDiagram } from './RentDiagram';

/** `/invest/saudi-reits`: rent and distributions. */
function SaudiReitsPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="saudi-reits" document={document} diagram={<RentDiagram />} />;
}

export default definePage({
  Component: SaudiReitsPage,
  messages: ['invest-product', 'invest-saudi-reits', 'open-account'],
});
