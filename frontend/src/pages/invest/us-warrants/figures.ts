/** A warrant: current share price, strike price, price of the warrant. */
export const SHARE = 12;
export const EXERCISE = 10;
export const WARRANT = 3;

/** The return of a share bought today, as a fraction. */
export function shareReturn(price: number): number {
  return price / SHARE - 1;
}

/** The return of a warrant at expiry, as a fraction. */
export function warrantReturn(price: number): number {
  return Math.max(0, price - EXERCISE) / WARRANT - 1;
}
