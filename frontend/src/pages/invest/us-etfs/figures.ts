/** An investment in dollars and its annual growth before the fund's charge. */
export const START = 10_000;
export const GROWTH = 0.06;
export const YEARS = 20;
export const CHARGES = [0.0005, 0.005, 0.01] as const;

/** The value after some years under an annual charge. */
export function grown(charge: number, years: number): number {
  return START * (1 + GROWTH - charge) ** years;
}
