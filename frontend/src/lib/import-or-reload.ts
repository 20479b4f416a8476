/** Code that cannot be loaded reloads the page at most once in this time. */
const RELOAD_GUARD_MS = 60_000;

const KEY = 'sahm-chunk-reload';

/**
 * Whether the page may be reloaded because code could not be loaded: at most once a minute, else a
 * broken build would reload for ever, and not offline, where a reload would take the page away. Notes
 * that it said yes.
 */
export function mayReload(now = Date.now()): boolean {
  try {
    const { sessionStorage } = window;
    const last = Number(sessionStorage.getItem(KEY) ?? Number.NEGATIVE_INFINITY);
    if (!navigator.onLine || now - last < RELOAD_GUARD_MS) return false;
    sessionStorage.setItem(KEY, String(now));
    return true;
  } catch {
    // Without storage nothing would stop the second reload.
    return false;
  }
}

/** Reloads the page if it may; false where it stays. */
export function reloadOnce(): boolean {
  const may = mayReload();
  if (may) window.location.reload();
  return may;
}

/**
 * Imports code that comes after the page. If it fails, the page is reloaded or, where it was reloaded
 * a moment ago, `missing` is called; the result is undefined then.
 */
export async function importOrReload<T>(
  load: () => Promise<T>,
  missing?: () => void | Promise<void>,
): Promise<T | undefined> {
  try {
    return await load();
  } catch {
    if (!reloadOnce()) await missing?.();
    return undefined;
  }
}
