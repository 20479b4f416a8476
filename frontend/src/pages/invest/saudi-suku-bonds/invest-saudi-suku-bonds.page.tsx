import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { definePage } from '~/lib/page/define-page';
import { ProductPage } from '../ProductPage';
import { PaymentsDiagram } from './PaymentsDiagram';

/** `/invest/saudi-suku-bonds`: payments on fixed dates, and the principal at maturity. */
function SaudiSukukBondsPage({ document }: { document: InvestPageJson }) {
  return (
    <ProductPage product="saudi-suku-bonds" document={document} diagram={<PaymentsDiagram />} />
  );
}

export default definePage({
  Component: SaudiSukukBondsPage,
  messages: ['invest-product', 'invest-saudi-suku-bonds', 'open-account'],
});
