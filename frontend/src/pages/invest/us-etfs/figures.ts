/** An investment in dollars and its annual growth before the fund's charge. */
export const FUND_START = 10_000;
export const FUND_GROWTH = 0.06;
export const FUND_YEARS = 20;
export const FUND_CHARGES = [0.0005, 0.005, 0.01] as const;

/** The value after some years under an annual charge. */
export function fundValue(charge: number, years: number): number {
  return FUND_START * (1 + FUND_GROWTH - charge) ** years;
}
