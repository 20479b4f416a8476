import type { Answer } from './document';

/** A prefetched document is used for this long; after it the browser's own cache revalidates. */
const LIFETIME = 10_000;
const MOST = 20;

const answers = new Map<string, { answer: Answer; at: number }>();

/** Keeps a page that was fetched ahead. Other answers say nothing about a later navigation. */
export function keepPrefetched(url: string, answer: Answer, now = performance.now()): void {
  if (answer.kind !== 'page') return;
  answers.delete(url);
  answers.set(url, { answer, at: now });
  const oldest = answers.keys().next();
  if (answers.size > MOST && !oldest.done) answers.delete(oldest.value);
}

/** The page fetched ahead for an address, once. */
export function takePrefetched(url: string, now = performance.now()): Answer | undefined {
  const kept = answers.get(url);
  answers.delete(url);
  return kept && now - kept.at <= LIFETIME ? kept.answer : undefined;
}
