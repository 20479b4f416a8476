/** Figures of the product pages' examples, drawn in their diagrams and worked out in their tables. */

/** A sukuk: face value, what is paid each half year, and how often. */
export const FACE = 10_000;
export const PAYMENT = 250;
export const PAYMENTS = 6;

/** So many dollars in a fund that grow so much a year before the fund's charge. */
export const START = 10_000;
export const GROWTH = 0.06;
export const YEARS = 20;
export const CHARGES = [0.0005, 0.005, 0.01] as const;

/** What the money has become after some years under a yearly charge. */
export function grown(charge: number, years: number): number {
  return START * (1 + GROWTH - charge) ** years;
}

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
