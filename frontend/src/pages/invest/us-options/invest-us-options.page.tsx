import type { InvestPageJson } from '~/gen/sahm/page/v1/invest_pb';
import { definePage } from '~/lib/page/define-page';
import { ProductPage } from '../ProductPage';
import { PayoffDiagrams } from './PayoffDiagrams';

/** `/invest/us-options`: the right to buy or sell, and its value at expiry. */
function UsOptionsPage({ document }: { document: InvestPageJson }) {
  return <ProductPage product="us-options" document={document} diagram={<PayoffDiagrams />} />;
}

export default definePage({
  Component: UsOptionsPage,
  messages: ['invest-product', 'invest-us-options', 'open-account'],
});
