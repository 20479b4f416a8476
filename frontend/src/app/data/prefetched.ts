import type { Answer } from './document';

/** A prefetched document is used for this long; later, the browser's HTTP cache revalidates it. */
const LIFETIME_MS = 10_000;
const MAX_DOCUMENTS = 20;

const answers = new Map<string, { answer: Answer; at: number }>();

/** Stores a prefetched page. Other responses say nothing about a later navigation. */
export function keepPrefetched(url: string, answer: Answer, now = performance.now()): void {
  if (answer.kind !== 'page') return;
  answers.delete(url);
  answers.set(url, { answer, at: now });
  const oldest = answers.keys().next();
  if (answers.size > MAX_DOCUMENTS && !oldest.done) answers.delete(oldest.value);
}

/** Returns the prefetched page of an address, once. */
export function takePrefetched(url: string, now = performance.now()): Answer | undefined {
  const kept = answers.get(url);
  answers.delete(url);
  return kept && now - kept.at <= LIFETIME_MS ? kept.answer : undefined;
}
