import type { ArticleSummaryJson } from '~/gen/sahm/content/v1/news_pb';
import type { NewsListPageJson } from '~/gen/sahm/page/v1/page_pb';
import { fetchWithin } from '~/lib/deadline';

/** What a page of older articles adds to the list. */
export interface More {
  articles: ArticleSummaryJson[];
  /** Empty on the last page. */
  nextCursor: string;
}

/** The address of the page that begins at a cursor, keeping the tab that is shown. */
export function moreHref(url: string, cursor: string): string {
  const [path = '', search = ''] = url.split('?', 2);
  const query = new URLSearchParams(search);
  query.set('cursor', cursor);
  return `${path}?${query}`;
}

/**
 * The articles behind `href` (site path with locale prefix and query). Rejects when no list comes
 * back: no network, a failing server, a redirect.
 */
export async function fetchMore(href: string): Promise<More> {
  return fetchWithin(
    `/_data${href}`,
    { headers: { accept: 'application/json' } },
    async (response) => {
      const body = (await response.json()) as { document?: NewsListPageJson };
      if (!response.ok || !body.document) throw new Error(`no list: status ${response.status}`);
      const { articles = [], nextCursor = '' } = body.document;
      return { articles, nextCursor };
    },
  );
}

/** A longer list, without articles that are there already. */
export function append(
  shown: ArticleSummaryJson[],
  more: ArticleSummaryJson[],
): ArticleSummaryJson[] {
  const ids = new Set(shown.map(({ id }) => id));
  return [...shown, ...more.filter(({ id }) => !ids.has(id))];
}
