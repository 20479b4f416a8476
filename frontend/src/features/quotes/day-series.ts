import type { DaySeriesJson } from '~/gen/sahm/quotes/v1/markets_pb';

/** A trading day as shapes; time always runs to the right. */
export interface DayShape {
  /** Path data of the prices. */
  line: string;
  /** The line closed along the lower edge. */
  area: string;
  /** Path data of the last price: a zero-length line. */
  end: string;
  /** Height of the previous close. */
  baseline: number;
}

/**
 * Draws a trading day. The box is as wide as the whole session, so a day in progress ends before
 * its right edge. The height spans at least `minReach`, a part of the previous close, in each
 * direction, so that a quiet day looks quiet. Undefined with fewer than two prices.
 */
export function dayShape(
  series: DaySeriesJson | undefined,
  width: number,
  height: number,
  minReach = 0,
): DayShape | undefined {
  const { opensAt = 0, closesAt = 0, interval = 0, lastAt = 0, previousClose } = series ?? {};
  const prices = (series?.prices ?? []).map(Number);
  if (prices.length < 2 || closesAt <= opensAt) return undefined;
  const close = Number(previousClose) || (prices[0] as number);
  const y = priceScale([close * (1 - minReach), close * (1 + minReach), ...prices], height);
  const x = (time: number) => toTenth(((time - opensAt) / (closesAt - opensAt)) * width);
  const timeOf = (i: number) => (i === prices.length - 1 ? lastAt : opensAt + i * interval);
  const points = prices.map((price, i) => `${x(timeOf(i))} ${y(price)}`);
  const line = `M${points.join('L')}`;
  return {
    line,
    area: `${line}V${height}H0z`,
    end: `M${points.at(-1)}h0`,
    baseline: y(close),
  };
}

/** Padding above and below, so that strokes are not clipped. */
const INSET = 2;

/** Maps prices to heights in a box, the lowest at the bottom; centred if all are equal. */
function priceScale(prices: readonly number[], height: number): (price: number) => number {
  const lowest = Math.min(...prices);
  const span = Math.max(...prices) - lowest;
  return (price) =>
    toTenth(
      span === 0 ? height / 2 : height - INSET - ((price - lowest) / span) * (height - 2 * INSET),
    );
}

/** Rounds a coordinate to a tenth, which keeps path data short. */
function toTenth(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}

/** Path data of evenly spaced prices in a box. */
export function sparkline(prices: readonly number[], width: number, height: number): string {
  const step = width / Math.max(1, prices.length - 1);
  const y = priceScale(prices, height);
  const points = prices.map((price, i) => `${toTenth(i * step)} ${y(price)}`);
  return `M${points.join('L')}`;
}
