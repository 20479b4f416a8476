import { pathTo } from '~/lib/links/path-to';

/** An article's address, without locale prefix. */
export function articlePath({ id = '' }: { id?: string }): string {
  return pathTo('news-content', { id });
}

/** The address of a news tab: the market's page if there is one, else a query. */
export function tabPath({ id = '', marketType }: { id?: string; marketType?: string }): string {
  if (marketType === 'us' || marketType === 'saudi') return pathTo(`news-${marketType}`);
  return pathTo('news', { tab: marketType === 'all' ? undefined : id });
}
