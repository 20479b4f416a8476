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
