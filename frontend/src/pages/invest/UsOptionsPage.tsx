import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { PayoffDiagrams } from './PayoffDiagrams';
import { ProductPage } from './ProductPage';

/** `/invest/us-options`: the right to buy or sell, and what it is worth on its last day. */
export function UsOptionsPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="us-options" document={document} diagram={<PayoffDiagrams />} />;
}
