import type { FrameJson } from '~/gen/sahm/page/v1/page_pb';
import { ApiError } from '~/lib/api';
import { fetchWithTimeout } from '~/lib/fetch-with-timeout';
import { withQuery } from '~/lib/links/paths';
import { dataHeaders } from '~/lib/page/payload';

/** A page of a paginated list. */
export interface CursorPage<T> {
  items: T[];
  /** Empty on the last page. */
  nextCursor: string;
}

/** The address of the page at a cursor, keeping the rest of the query. */
export function moreHref(url: string, cursor: string): string {
  return withQuery(url, ['cursor'], [`cursor=${encodeURIComponent(cursor)}`]);
}

/**
 * Fetches the page document of `href` (site path with locale prefix and query). Rejects if there is
 * none: with an `ApiError` for a failing server or a redirect.
 */
export async function fetchPage<D>(href: string, frame: FrameJson): Promise<D> {
  return fetchWithTimeout(`/_data${href}`, { headers: dataHeaders(frame) }, async (response) => {
    const failure = new ApiError('service', response.status);
    if (!response.ok) throw failure;
    const { document } = (await response.json()) as { document?: D };
    if (!document) throw failure;
    return document;
  });
}

/** Appends items that are not in the list yet. */
export function append<T extends { id?: string }>(shown: readonly T[], more: readonly T[]): T[] {
  const ids = new Set(shown.map(({ id }) => id));
  return [...shown, ...more.filter(({ id }) => !ids.has(id))];
}
