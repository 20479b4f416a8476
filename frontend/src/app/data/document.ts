import { fetchWithTimeout, isAbort } from '~/lib/fetch-with-timeout';
import { dataHeaders, frameOf, type PageDocument, type PagePayload } from '~/lib/page/payload';
import { STATUS_NO_ANSWER } from '~/lib/status';

/** The result of fetching an address. */
export type FetchResult =
  | { kind: 'page'; page: string; build: string; document: PageDocument }
  /** Load the address as a document: it redirects, or another build responded. */
  | { kind: 'document'; url: string }
  | { kind: 'error'; status: number };

interface Body {
  build?: string;
  page?: string;
  document?: PageDocument;
  redirect?: string;
}

/**
 * Fetches the document of a page: `url` is its path with locale prefix and query, `current` the page
 * that is shown. Rejects only when `signal` aborts.
 */
export async function fetchDocument(
  url: string,
  current: PagePayload,
  signal?: AbortSignal,
): Promise<FetchResult> {
  try {
    return await fetchWithTimeout(
      `/_data${url}`,
      {
        headers: { ...dataHeaders(frameOf(current)), 'x-build': current.build },
        credentials: 'same-origin',
        signal: signal ?? null,
      },
      async (response) => resultOf(url, response.status, await bodyOf(response)),
    );
  } catch (error) {
    if (isAbort(error)) throw error;
    return { kind: 'error', status: STATUS_NO_ANSWER };
  }
}

async function bodyOf(response: Response): Promise<Body> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return isJson ? ((await response.json()) as Body) : {};
}

/** Interprets a response of `/_data` (docs/pages.md). */
export function resultOf(url: string, status: number, body: Body): FetchResult {
  const { page, document, build, redirect } = body;
  if (status === 409) return { kind: 'document', url };
  if (status === 200 && redirect) return { kind: 'document', url: redirect };
  if (page && document && build) return { kind: 'page', page, build, document };
  return { kind: 'error', status };
}

/**
 * The payload of a fetched page for the visitor of the current page. The server omits layout data
 * that the browser already has.
 */
export function payloadOf(
  url: string,
  { page, build, document }: Extract<FetchResult, { kind: 'page' }>,
  current: PagePayload,
): PagePayload {
  const { layoutData } = frameOf(current);
  const frame = { ...(layoutData && { layoutData }), ...document.frame };
  return { build, page, visitor: current.visitor, url, document: { ...document, frame } };
}

/** A prefetched document is used for this long; later, the browser's HTTP cache revalidates it. */
const PREFETCH_LIFETIME_MS = 10_000;
const MAX_PREFETCHED_DOCUMENTS = 20;

const prefetchedDocuments = new Map<string, { result: FetchResult; at: number }>();

/** Stores a prefetched page. Other responses say nothing about a later navigation. */
export function keepPrefetched(url: string, result: FetchResult, now = performance.now()): void {
  if (result.kind !== 'page') return;
  prefetchedDocuments.delete(url);
  prefetchedDocuments.set(url, { result, at: now });
  const oldest = prefetchedDocuments.keys().next();
  if (prefetchedDocuments.size > MAX_PREFETCHED_DOCUMENTS && !oldest.done)
    prefetchedDocuments.delete(oldest.value);
}

/** Returns the prefetched page of an address, once. */
export function takePrefetched(url: string, now = performance.now()): FetchResult | undefined {
  const entry = prefetchedDocuments.get(url);
  prefetchedDocuments.delete(url);
  return entry && now - entry.at <= PREFETCH_LIFETIME_MS ? entry.result : undefined;
}
