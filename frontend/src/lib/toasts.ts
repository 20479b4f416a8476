import { cookieOf } from './cookies';
import { createStore } from './store';

/** A message that is shown briefly. */
export interface Toast {
  /** Unique, so that the same text shown twice is two toasts. */
  id: number;
  kind: 'success' | 'failure';
  text: string;
}

/** The cookie that throttles messages across tabs. */
const COOKIE = 'hstMessage';
/** A message is shown at most once in this time. */
const TOAST_PAUSE_SECONDS = 3;

/** The current toast. */
export const toastStore = createStore<Toast | undefined>(undefined);

/** Shows a message, unless the same one was shown a moment ago. */
export function showToast(text: string, kind: Toast['kind'] = 'failure'): void {
  const mark = markOf(text);
  if (text === '' || isThrottled(document.cookie, mark)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${COOKIE}=${mark}; Max-Age=${TOAST_PAUSE_SECONDS}; Path=/; SameSite=Lax`;
  toastStore.set({ id: (toastStore.get()?.id ?? 0) + 1, kind, text });
}

export function dismissToast(): void {
  if (toastStore.get()) toastStore.set(undefined);
}

/** Whether the cookie says that this message was shown a moment ago. */
export function isThrottled(cookies: string, mark: string): boolean {
  return cookieOf(cookies, COOKIE) === mark;
}

/** A short hash of a text: 8 hexadecimal digits (FNV-1a). */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}
