import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { DayRange } from './DayRange';
import { currencyOf } from './price';
import { Sparkline } from './Sparkline';

/** A security's day: where its price lies between lowest and highest, and how it moved meanwhile. */
export function dayOf(quote: QuoteJson) {
  return (
    <>
      <DayRange quote={quote} />
      <Sparkline code={quote.securityCode ?? ''} currency={currencyOf(quote)} />
    </>
  );
}
