import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { definePage } from '~/lib/page/define-page';
import { ProductPage } from '../ProductPage';
import { DealersDiagram } from './DealersDiagram';

/** `/invest/us-otc`: trading between dealers, off exchange. */
function UsOtcPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="us-otc" document={document} diagram={<DealersDiagram />} />;
}

export default definePage({
  Component: UsOtcPage,
  messages: ['invest-product', 'invest-us-otc', 'open-account'],
});
