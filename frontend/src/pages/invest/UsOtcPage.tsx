import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { DealersDiagram } from './DealersDiagram';
import { ProductPage } from './ProductPage';

/** `/invest/us-otc`: traded between dealers, away from an exchange. */
export function UsOtcPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="us-otc" document={document} diagram={<DealersDiagram />} />;
}
