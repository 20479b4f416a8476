import { append, type CursorPage } from './cursor-page';

/** A list that has grown, as its history entry holds it. */
interface Grown<T> extends CursorPage<T> {
  url: string;
  scrollY: number;
}

/** Stores a list with the current history entry, from where `restoreList` takes it. */
export function rememberList<T>(url: string, { items, nextCursor }: CursorPage<T>): void {
  const more: Grown<T> = { url, items, nextCursor, scrollY: window.scrollY };
  try {
    window.history.replaceState({ ...window.history.state, more }, '');
  } catch {
    // Browsers bound the size of an entry: then the list is short again.
  }
}

/** The grown list of the current history entry, behind what its page begins with by now. */
export function restoreList<T extends { id?: string }>(
  url: string,
  first: CursorPage<T>,
): Grown<T> | undefined {
  const { more } = (window.history.state ?? {}) as { more?: Grown<T> };
  if (more?.url !== url) return undefined;
  return { ...more, items: append(first.items, more.items) };
}
