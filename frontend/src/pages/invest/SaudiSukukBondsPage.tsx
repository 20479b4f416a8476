import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { PaymentsDiagram } from './PaymentsDiagram';
import { ProductPage } from './ProductPage';

/** `/invest/saudi-suku-bonds`: payments on set dates, and the principal at the end. */
export function SaudiSukukBondsPage({ document }: { document: InvestPageJson }) {
  return (
    <ProductPage product="saudi-suku-bonds" document={document} diagram={<PaymentsDiagram />} />
  );
}
