import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { isoTime } from '~/lib/format/format';
import { priceTime } from '~/lib/format/time';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useNow } from '~/ui/clock';
import { isClosingPrice } from './price';
import { useQuote } from './useQuote';

/**
 * Day and time of a price in Riyadh, labelled if it is a closing price; nothing if the time is
 * unknown.
 */
export function PriceTime({
  quote,
  className,
}: {
  quote: QuoteJson;
  className?: string | undefined;
}) {
  const { locale } = usePage();
  const t = useMessages('quotes');
  const now = useNow();
  const { time = 0 } = quote;
  if (time <= 0) return null;
  const isClose = isClosingPrice(quote);
  const shown = <time dateTime={isoTime(time)}>{priceTime(locale, now, time)}</time>;
  // A new element for each text: changing text in place counts as a layout shift.
  return (
    <span key={`${time} ${isClose}`} className={className}>
      {isClose ? t.rich('close', { time: shown }) : shown}
    </span>
  );
}

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
