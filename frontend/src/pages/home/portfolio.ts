import { directionOf } from '~/features/quotes/price';
import type { DaySeriesJson } from '~/gen/sahm/quotes/v1/markets_pb';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { MARKETS } from '~/lib/market';

/** Shares in the illustrated portfolio, from one market so that their trading days match. */
const HOLDINGS: Readonly<Record<string, number>> = { 2222: 620, 1120: 140, 2010: 160, 7010: 210 };

/** The illustrated portfolio as a quote, with its trading day if every holding has one. */
export interface Portfolio {
  quote: QuoteJson;
  series: DaySeriesJson | undefined;
}

/** Undefined if a holding has no price, because a partial sum would be wrong. */
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
 * The watch list: the first security of each market, then the first that moved in the opposite
 * direction, or the second.
 */
export function watchListOf(quotes: readonly QuoteJson[]): QuoteJson[] {
  return MARKETS.flatMap((market) => {
    const ofMarket = quotes.filter((quote) => quote.market === market && quote.lastPrice);
    const [first, ...others] = ofMarket;
    if (!first) return [];
    const direction = directionOf(first.highAndLowLimited);
    const opposite = others.find((quote) => {
      const other = directionOf(quote.highAndLowLimited);
      return other !== 'flat' && other !== direction;
    });
    return [first, opposite ?? others[0]].filter((quote) => quote !== undefined);
  });
}
