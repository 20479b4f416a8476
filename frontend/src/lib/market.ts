/** The markets in display order. */
export const MARKETS = ['saudi', 'us'] as const;

export type Market = (typeof MARKETS)[number];

export function isMarket(name: string | undefined): name is Market {
  return MARKETS.some((market) => market === name);
}
