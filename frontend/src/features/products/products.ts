import type { Market } from '~/lib/market';

/** The invest pages by market, in display order. */
export const PRODUCTS = {
  saudi: ['saudi-stocks', 'saudi-suku-bonds', 'saudi-reits', 'saudi-etfs'],
  us: ['us-stocks', 'us-options', 'us-etfs', 'us-warrants', 'us-otc'],
} as const satisfies Record<Market, readonly string[]>;

/** The last path segment of an invest page. */
export type Product = (typeof PRODUCTS)[Market][number];

export function marketOf(product: Product): Market {
  return product.startsWith('us-') ? 'us' : 'saudi';
}
