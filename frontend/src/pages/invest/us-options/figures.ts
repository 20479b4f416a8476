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
