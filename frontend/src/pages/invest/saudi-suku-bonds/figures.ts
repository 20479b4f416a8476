/** A sukuk: face value, semi-annual payment, number of payments. */
export const SUKUK_FACE_VALUE = 10_000;
export const SUKUK_PAYMENT = 250;
export const SUKUK_PAYMENTS = 6;
