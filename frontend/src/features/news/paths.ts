/** An article's address on the site, without locale prefix. */
export function articlePath({ id = '' }: { id?: string }): string {
  return `/news/content/${id}`;
}

/** Where a tab of the news leads: the markets that have pages of their own, else a query. */
export function tabPath({ id = '', marketType }: { id?: string; marketType?: string }): string {
  if (marketType === 'us' || marketType === 'saudi') return `/news/${marketType}`;
  return marketType === 'all' ? '/news' : `/news?tab=${id}`;
}
