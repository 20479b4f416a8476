/** The invest pages (specification §2) by market, in the order in which they are shown. */
export const PRODUCTS = {
  saudi: ['saudi-stocks', 'saudi-suku-bonds', 'saudi-reits', 'saudi-etfs'],
  us: ['us-stocks', 'us-options', 'us-etfs', 'us-warrants', 'us-otc'],
} as const;

/** The last part of an invest page's address. */
export type Product = (typeof PRODUCTS)[keyof typeof PRODUCTS][number];
