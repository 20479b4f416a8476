/** A sukuk: face value, semi-annual payment, number of payments. */
export const FACE = 10_000;
export const PAYMENT = 250;
export const PAYMENTS = 6;
