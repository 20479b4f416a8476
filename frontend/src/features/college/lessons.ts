import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '~/lib/stored';

/** Ids of the articles that were read in this browser, newest last. */
const KEY = 'sahm_lessons_read';
/** As many as are remembered. */
const MOST = 500;
const CHANGED = 'sahm:lesson-read';
const NONE: ReadonlySet<string> = new Set();

let kept: { text: string; ids: ReadonlySet<string> } = { text: '', ids: NONE };

/** `ids` with one more at its end, once, within bounds. */
export function withLesson(ids: readonly string[], id: string): string[] {
  return [...ids.filter((known) => known !== id), id].slice(-MOST);
}

/** The ids in what was stored; nothing in anything else. */
export function lessonsIn(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
}

export function markRead(id: string): void {
  writeStored(KEY, withLesson(lessonsIn(readStored(KEY)), id));
  window.dispatchEvent(new Event(CHANGED));
}

/** What was read in this browser; nothing on the server and in the first client render. */
export function useReadLessons(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, read, () => NONE);
}

function read(): ReadonlySet<string> {
  const ids = lessonsIn(readStored(KEY));
  const text = ids.join();
  if (text !== kept.text) kept = { text, ids: new Set(ids) };
  return kept.ids;
}

function subscribe(changed: () => void) {
  window.addEventListener(CHANGED, changed);
  window.addEventListener('storage', changed);
  return () => {
    window.removeEventListener(CHANGED, changed);
    window.removeEventListener('storage', changed);
  };
}
