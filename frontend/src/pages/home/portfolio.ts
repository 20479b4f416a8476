import { directionOf } from '~/features/quotes/price';
import type { DaySeriesJson } from '~/gen/sahm/quotes/v1/markets_pb';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';

/** Shares in the illustration's portfolio: of one market, so that their trading days agree. */
const HOLDINGS: Readonly<Record<string, number>> = { 2222: 620, 1120: 140, 2010: 160, 7010: 210 };

/** The illustration's portfolio as a quote, and its trading day where every holding has one. */
export interface Portfolio {
  quote: QuoteJson;
  series: DaySeriesJson | undefined;
}

/** Undefined where a holding has no price: a sum of some would be no portfolio. */
export function portfolioOf(
  quotes: readonly QuoteJson[],
  series: readonly DaySeriesJson[],
): Portfolio | undefined {
  const held = Object.entries(HOLDINGS).map(([code, shares]) => ({
    shares,
    quote: quotes.find(({ securityCode }) => securityCode === code),
    series: series.find((day) => day.code === code),
  }));
  if (held.some(({ quote }) => !quote?.lastPrice || !Number(quote.previousClose))) return undefined;
  const sum = (value: (holding: (typeof held)[number]) => unknown) =>
    held.reduce((total, holding) => total + holding.shares * Number(value(holding)), 0);
  const last = sum(({ quote }) => quote?.lastPrice);
  const before = sum(({ quote }) => quote?.previousClose);
  const [first] = held;
  const length = Math.min(...held.map((holding) => holding.series?.prices?.length ?? 0));
  const isComplete = held.every((holding) => holding.series?.prices?.length === length);
  const prices = Array.from({ length }, (_, i) =>
    sum((holding) => holding.series?.prices?.[i]).toFixed(2),
  );
  return {
    quote: {
      currency: 'SAR',
      lastPrice: last.toFixed(2),
      highAndLow: (last - before).toFixed(2),
      highAndLowLimited: ((last - before) / before).toFixed(6),
      mktTmType: first?.quote?.mktTmType ?? 0,
      time: Math.max(...held.map(({ quote }) => quote?.time ?? 0)),
    },
    series:
      isComplete && first?.series
        ? { ...first.series, prices, previousClose: before.toFixed(2) }
        : undefined,
  };
}

/**
 * The watch list: of each market the first security, then the first one that moved the other way, so
 * that the picture shows both directions; the second one where none did.
 */
export function watchListOf(quotes: readonly QuoteJson[]): QuoteJson[] {
  return ['saudi', 'us'].flatMap((name) => {
    const market = quotes.filter((quote) => quote.market === name && quote.lastPrice);
    const [first, ...others] = market;
    if (!first) return [];
    const direction = directionOf(first.highAndLowLimited);
    const opposite = others.find((quote) => {
      const other = directionOf(quote.highAndLowLimited);
      return other !== 'flat' && other !== direction;
    });
    return [first, opposite ?? others[0]].filter((quote) => quote !== undefined);
  });
}
