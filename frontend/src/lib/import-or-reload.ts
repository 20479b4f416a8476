/** A failed import reloads the page at most once in this time. */
const RELOAD_GUARD_MS = 60_000;

const LAST_RELOAD_KEY = 'sahm-chunk-reload';

/**
 * Whether the page may be reloaded after a failed import: at most once a minute, so that a broken
 * build does not reload forever, and not offline, where a reload would lose the page. Records each
 * permitted reload.
 */
export function mayReload(now = Date.now()): boolean {
  try {
    const { sessionStorage } = window;
    const last = Number(sessionStorage.getItem(LAST_RELOAD_KEY) ?? Number.NEGATIVE_INFINITY);
    if (!navigator.onLine || now - last < RELOAD_GUARD_MS) return false;
    sessionStorage.setItem(LAST_RELOAD_KEY, String(now));
    return true;
  } catch {
    // Without storage nothing would limit reloads.
    return false;
  }
}

/** Reloads the page if allowed; returns false otherwise. */
export function reloadOnce(): boolean {
  const may = mayReload();
  if (may) window.location.reload();
  return may;
}

/**
 * Imports code after the first load. On failure the page is reloaded; if it was reloaded a moment
 * ago, `missing` is called and the result is undefined.
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
