import type { FetchResult } from './document';

/** A prefetched document is used for this long; later, the browser's HTTP cache revalidates it. */
const LIFETIME_MS = 10_000;
const MAX_DOCUMENTS = 20;

const documents = new Map<string, { result: FetchResult; at: number }>();

/** Stores a prefetched page. Other responses say nothing about a later navigation. */
export function keepPrefetched(url: string, result: FetchResult, now = performance.now()): void {
  if (result.kind !== 'page') return;
  documents.delete(url);
  documents.set(url, { result, at: now });
  const oldest = documents.keys().next();
  if (documents.size > MAX_DOCUMENTS && !oldest.done) documents.delete(oldest.value);
}

/** Returns the prefetched page of an address, once. */
export function takePrefetched(url: string, now = performance.now()): FetchResult | undefined {
  const entry = documents.get(url);
  documents.delete(url);
  return entry && now - entry.at <= LIFETIME_MS ? entry.result : undefined;
}
