import type { NavigationItemJson } from '~/gen/sahm/config/v1/config_pb';

const MARKETS = ['saudi', 'us'] as const;

export interface MarketGroup {
  /** Undefined for items of no single market. */
  market: (typeof MARKETS)[number] | undefined;
  items: NavigationItemJson[];
}

/** Menu items grouped by the market that their key begins with, those of no market last. */
export function groupByMarket(items: readonly NavigationItemJson[]): MarketGroup[] {
  const marketOf = ({ key }: NavigationItemJson) =>
    MARKETS.find((market) => key?.startsWith(`${market}-`));
  return [...MARKETS, undefined]
    .map((market) => ({ market, items: items.filter((item) => marketOf(item) === market) }))
    .filter((group) => group.items.length > 0);
}
