/** So many dollars in a fund that grow so much a year before the fund's charge. */
export const START = 10_000;
export const GROWTH = 0.06;
export const YEARS = 20;
export const CHARGES = [0.0005, 0.005, 0.01] as const;

/** What the money has become after some years under a yearly charge. */
export function grown(charge: number, years: number): number {
  return START * (1 + GROWTH - charge) ** years;
}
