import { cookieOf } from '~/lib/cookies';

/** A message that is shown for a moment. */
export interface Notice {
  /** Another for every message, so that the same text twice is two. */
  id: number;
  kind: 'success' | 'failure';
  text: string;
}

/** The cookie by which messages are throttled, over all tabs. */
const COOKIE = 'hstMessage';
/** The same message is shown once in this time, in seconds. */
const NOTICE_PAUSE = 3;

let shown: Notice | undefined;
const listeners = new Set<() => void>();

/** Shows a message, unless the same one was shown a moment ago. */
export function say(text: string, kind: Notice['kind'] = 'failure'): void {
  const mark = markOf(text);
  if (text === '' || isThrottled(document.cookie, mark)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser.
  document.cookie = `${COOKIE}=${mark}; Max-Age=${NOTICE_PAUSE}; Path=/; SameSite=Lax`;
  tell({ id: (shown?.id ?? 0) + 1, kind, text });
}

/** Takes the message away. */
export function hush(): void {
  if (shown) tell(undefined);
}

/** The message that is shown now. */
export function currentNotice(): Notice | undefined {
  return shown;
}

export function onNotice(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** Whether the cookie says that a message with this mark was shown just now. */
export function isThrottled(cookies: string, mark: string): boolean {
  return cookieOf(cookies, COOKIE) === mark;
}

/** A short name of a text: 8 hexadecimal digits (FNV-1a). */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash.toString(16).padStart(8, '0');
}

function tell(notice: Notice | undefined) {
  shown = notice;
  for (const changed of listeners) changed();
}
