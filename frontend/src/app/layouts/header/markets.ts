import type { MenuItemJson } from '~/gen/sahm/page/v1/page_pb';

const MARKETS = ['saudi', 'us'] as const;

export interface MarketGroup {
  /** Undefined for items of no single market. */
  market: (typeof MARKETS)[number] | undefined;
  items: MenuItemJson[];
}

/** Menu items grouped by the market that their key begins with, those of no market last. */
export function groupByMarket(items: readonly MenuItemJson[]): MarketGroup[] {
  const marketOf = ({ key }: MenuItemJson) =>
    MARKETS.find((market) => key?.startsWith(`${market}-`));
  return [...MARKETS, undefined]
    .map((market) => ({ market, items: items.filter((item) => marketOf(item) === market) }))
    .filter((group) => group.items.length > 0);
}
