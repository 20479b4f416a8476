export type Option = 'call' | 'put';

/** An option: the price it is about, and what it costs a share. */
export const STRIKE = 50;
export const PREMIUM = 2;

/** Gain or loss a share of who bought the option and holds it to its last day. */
export function payoff(option: Option, price: number): number {
  const worth = option === 'call' ? price - STRIKE : STRIKE - price;
  return Math.max(0, worth) - PREMIUM;
}

/** Price at which an option's gain covers the premium. */
export function breakEven(option: Option): number {
  return option === 'call' ? STRIKE + PREMIUM : STRIKE - PREMIUM;
}
