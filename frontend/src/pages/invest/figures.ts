// The numbers of the diagrams and worked examples of products.

/** A sukuk: face value, semi-annual payment, number of payments. */
export const FACE = 10_000;
export const PAYMENT = 250;
export const PAYMENTS = 6;

/** An investment in dollars and its annual growth before the fund's charge. */
export const START = 10_000;
export const GROWTH = 0.06;
export const YEARS = 20;
export const CHARGES = [0.0005, 0.005, 0.01] as const;

/** The value after some years under an annual charge. */
export function grown(charge: number, years: number): number {
  return START * (1 + GROWTH - charge) ** years;
}

export type Option = 'call' | 'put';

/** An option: strike price and premium per share. */
export const STRIKE = 50;
export const PREMIUM = 2;

/** Profit or loss per share of a long option at expiry. */
export function payoff(option: Option, price: number): number {
  const worth = option === 'call' ? price - STRIKE : STRIKE - price;
  return Math.max(0, worth) - PREMIUM;
}

/** The share price at which an option's payoff covers the premium. */
export function breakEven(option: Option): number {
  return option === 'call' ? STRIKE + PREMIUM : STRIKE - PREMIUM;
}

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
