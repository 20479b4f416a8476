/** Padding above and below, so that strokes are not clipped. */
const INSET = 2;

/**
 * Path data of evenly spaced prices in a box, the lowest at the bottom; centred if all are equal.
 */
export function sparkline(prices: readonly number[], width: number, height: number): string {
  const least = Math.min(...prices);
  const span = Math.max(...prices) - least;
  const step = width / Math.max(1, prices.length - 1);
  const y = (price: number) =>
    span === 0 ? height / 2 : height - INSET - ((price - least) / span) * (height - 2 * INSET);
  return prices
    .map((price, i) => `${i === 0 ? 'M' : 'L'}${round(i * step)} ${round(y(price))}`)
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
