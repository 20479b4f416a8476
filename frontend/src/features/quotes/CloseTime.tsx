import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { PriceTime } from './PriceTime';
import { isClosingPrice } from './price';
import { useQuote } from './useQuote';

/**
 * Returns whether a list states the time of a quote once for all rows: if all of its quotes were
 * closes of the same time, and this one still is.
 */
export function sharedClose(quotes: readonly QuoteJson[]): (quote: QuoteJson) => boolean {
  const isClose = (quote: QuoteJson) => isClosingPrice(quote) && quote.time === quotes[0]?.time;
  return quotes.every(isClose) ? isClose : () => false;
}

/** The time of a list's close, until the market opens. */
export function CloseTime({
  quote: initial,
  className,
}: {
  quote: QuoteJson;
  className: string | undefined;
}) {
  const quote = useQuote(initial);
  return (
    isClosingPrice(quote) && (
      <span className={className} data-live="">
        <PriceTime quote={quote} />
      </span>
    )
  );
}
