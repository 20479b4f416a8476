import { useEffect } from 'react';
import { readStored, writeStored } from '~/lib/storage';
import { createStore, useStore } from '~/lib/store';

/** Storage key of the ids of lessons read in this browser, newest last. */
const STORAGE_KEY = 'sahm_lessons_read';
/** Maximum number of remembered lessons. */
const MAX_LESSONS = 500;
const NO_LESSONS: ReadonlySet<string> = new Set();

/** Moves or appends an id to the end, within the maximum. */
export function withLesson(ids: readonly string[], id: string): string[] {
  return [...ids.filter((known) => known !== id), id].slice(-MAX_LESSONS);
}

/** Parses stored ids; empty for anything else. */
export function idsIn(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : [];
}

const lessonsStore = createStore(storedLessons());

export function markRead(id: string): void {
  writeStored(STORAGE_KEY, withLesson(idsIn(readStored(STORAGE_KEY)), id));
  synchronize();
}

/** Lessons read in this browser, including other tabs; empty on the server and during hydration. */
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
  return new Set(idsIn(readStored(STORAGE_KEY)));
}

/** The next lesson of a course: the first unread one, or the first if all are read. */
export function nextLesson<T extends { id?: string }>(
  lessons: readonly T[],
  read: ReadonlySet<string>,
): { lesson: T; number: number; begun: boolean } | undefined {
  const open = lessons.findIndex(({ id = '' }) => !read.has(id));
  const at = Math.max(0, open);
  const lesson = lessons[at];
  return lesson && { lesson, number: at + 1, begun: at > 0 };
}
