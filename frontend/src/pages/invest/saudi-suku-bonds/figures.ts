/** A sukuk: face value, what is paid each half year, and how often. */
export const FACE = 10_000;
export const PAYMENT = 250;
export const PAYMENTS = 6;
