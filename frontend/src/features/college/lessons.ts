import { useEffect } from 'react';
import { readStored, writeStored } from '~/lib/storage';
import { createStore, useStore } from '~/lib/store';

/** Ids of the articles that were read in this browser, newest last. */
const STORAGE_KEY = 'sahm_lessons_read';
/** As many as are remembered. */
const MAX_LESSONS = 500;
const NO_LESSONS: ReadonlySet<string> = new Set();

/** `ids` with one more at its end, once, within bounds. */
export function withLesson(ids: readonly string[], id: string): string[] {
  return [...ids.filter((known) => known !== id), id].slice(-MAX_LESSONS);
}

/** The ids in what was stored; nothing in anything else. */
export function lessonsIn(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
}

const lessonsStore = createStore(storedLessons());

export function markRead(id: string): void {
  writeStored(STORAGE_KEY, withLesson(lessonsIn(readStored(STORAGE_KEY)), id));
  synchronize();
}

/** What was read in this browser, in other tabs too; nothing on the server and while hydrating. */
export function useReadLessons(): ReadonlySet<string> {
  useEffect(() => {
    window.addEventListener('storage', synchronize);
    return () => window.removeEventListener('storage', synchronize);
  }, []);
  return useStore(lessonsStore, (lessons) => lessons, NO_LESSONS);
}

function synchronize() {
  lessonsStore.set(storedLessons());
}

function storedLessons(): ReadonlySet<string> {
  return new Set(lessonsIn(readStored(STORAGE_KEY)));
}

/** Where a reader goes on in a course: the first lesson not read, the first of all when none is left. */
export function nextLesson<T extends { id?: string }>(
  lessons: readonly T[],
  read: ReadonlySet<string>,
): { lesson: T; number: number; begun: boolean } | undefined {
  const open = lessons.findIndex(({ id = '' }) => !read.has(id));
  const at = Math.max(0, open);
  const lesson = lessons[at];
  return lesson && { lesson, number: at + 1, begun: at > 0 };
}
