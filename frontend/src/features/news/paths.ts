import { pathTo } from '~/lib/links/path-to';

/** An article's address on the site, without locale prefix. */
export function articlePath({ id = '' }: { id?: string }): string {
  return pathTo('news-content', { id });
}

/** Where a tab of the news leads: the markets that have pages of their own, else a query. */
export function tabPath({ id = '', marketType }: { id?: string; marketType?: string }): string {
  if (marketType === 'us' || marketType === 'saudi') return pathTo(`news-${marketType}`);
  return pathTo('news', { tab: marketType === 'all' ? undefined : id });
}
