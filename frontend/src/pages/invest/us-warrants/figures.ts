/** A warrant: current share price, strike price, price of the warrant. */
export const SHARE_PRICE = 12;
export const WARRANT_STRIKE = 10;
export const WARRANT_PRICE = 3;

/** The return of a share bought today, as a fraction. */
export function shareReturn(price: number): number {
  return price / SHARE_PRICE - 1;
}

/** The return of a warrant at expiry, as a fraction. */
export function warrantReturn(price: number): number {
  return Math.max(0, price - WARRANT_STRIKE) / WARRANT_PRICE - 1;
}
