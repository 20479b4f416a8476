// The numbers of the diagrams and worked examples of products.

/** A sukuk: face value, semi-annual payment, number of payments. */
export const SUKUK_FACE_VALUE = 10_000;
export const SUKUK_PAYMENT = 250;
export const SUKUK_PAYMENTS = 6;

/** An investment in dollars and its annual growth before the fund's charge. */
export const FUND_START = 10_000;
export const FUND_GROWTH = 0.06;
export const FUND_YEARS = 20;
export const FUND_CHARGES = [0.0005, 0.005, 0.01] as const;

/** The value after some years under an annual charge. */
export function fundValue(charge: number, years: number): number {
  return FUND_START * (1 + FUND_GROWTH - charge) ** years;
}

export type Option = 'call' | 'put';

/** An option: strike price and premium per share. */
export const OPTION_STRIKE = 50;
export const OPTION_PREMIUM = 2;

/** Profit or loss per share of a long option at expiry. */
export function optionPayoff(option: Option, price: number): number {
  const worth = option === 'call' ? price - OPTION_STRIKE : OPTION_STRIKE - price;
  return Math.max(0, worth) - OPTION_PREMIUM;
}

/** The share price at which an option's optionPayoff covers the premium. */
export function optionBreakEven(option: Option): number {
  return option === 'call' ? OPTION_STRIKE + OPTION_PREMIUM : OPTION_STRIKE - OPTION_PREMIUM;
}

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
