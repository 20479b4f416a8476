import type { FrameJson } from '~/gen/sahm/page/v1/page_pb';
import { fetchWithTimeout } from '~/lib/fetch-with-timeout';
import { dataHeaders } from '~/lib/page/payload';

/** A page of a list that goes on. */
export interface CursorPage<T> {
  items: T[];
  /** Empty on the last page. */
  nextCursor: string;
}

/** The address of the page that begins at a cursor, keeping the rest of the query. */
export function moreHref(url: string, cursor: string): string {
  const [path = '', search = ''] = url.split('?', 2);
  const query = new URLSearchParams(search);
  query.set('cursor', cursor);
  return `${path}?${query}`;
}

/**
 * The page document behind `href` (site path with locale prefix and query). Rejects when none
 * comes back: no network, a failing server, a redirect.
 */
export async function fetchPage<D>(href: string, frame: FrameJson): Promise<D> {
  return fetchWithTimeout(`/_data${href}`, { headers: dataHeaders(frame) }, async (response) => {
    const body = (await response.json()) as { document?: D };
    if (!response.ok || !body.document) throw new Error(`no list: status ${response.status}`);
    return body.document;
  });
}

/** A longer list, without what is there already. */
export function append<T extends { id?: string }>(shown: readonly T[], more: readonly T[]): T[] {
  const ids = new Set(shown.map(({ id }) => id));
  return [...shown, ...more.filter(({ id }) => !ids.has(id))];
}
