/** A warrant: the share's price today, the price it may be bought at, and what the warrant costs. */
export const SHARE = 12;
export const EXERCISE = 10;
export const WARRANT = 3;

/** What a share bought today has gained at a price, as a part of what it cost. */
export function shareReturn(price: number): number {
  return price / SHARE - 1;
}

/** The same of a warrant on its last day. */
export function warrantReturn(price: number): number {
  return Math.max(0, price - EXERCISE) / WARRANT - 1;
}
