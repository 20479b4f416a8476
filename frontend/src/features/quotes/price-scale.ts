/** Padding above and below, so that strokes are not clipped. */
const INSET = 2;

/** Maps prices to heights in a box, the lowest at the bottom; centred if all are equal. */
export function priceScale(prices: readonly number[], height: number): (price: number) => number {
  const lowest = Math.min(...prices);
  const span = Math.max(...prices) - lowest;
  return (price) =>
    toTenth(
      span === 0 ? height / 2 : height - INSET - ((price - lowest) / span) * (height - 2 * INSET),
    );
}

/** Rounds a coordinate to a tenth, which keeps path data short. */
export function toTenth(coordinate: number): number {
  return Math.round(coordinate * 10) / 10;
}
