import { pathTo } from '~/lib/links/path-to';
import { isMarket } from '~/lib/market';

/** An article's address, without locale prefix. */
export function articlePath({ id = '' }: { id?: string }): string {
  return pathTo('news-content', { id });
}

/** The news page of a market; of all markets for another value. */
export function marketNewsPath(market: string | undefined): string {
  return pathTo(isMarket(market) ? `news-${market}` : 'news');
}

/** The address of a news tab: the market's page if there is one, else a query. */
export function tabPath({ id = '', marketType }: { id?: string; marketType?: string }): string {
  if (marketType === 'all' || isMarket(marketType)) return marketNewsPath(marketType);
  return pathTo('news', { tab: id });
}
