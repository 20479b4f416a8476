/** `sessionStorage` lasts for the browser session, in one tab. */
type StorageName = 'localStorage' | 'sessionStorage';

/**
 * A small value in the browser's storage. Storage may be full, forbidden or contain text that is
 * not JSON: then the value is null.
 */
export function readStored(key: string, storage: StorageName = 'localStorage'): unknown {
  try {
    return JSON.parse(window[storage].getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a JSON value; failures are ignored. */
export function writeStored(
  key: string,
  value: unknown,
  storage: StorageName = 'localStorage',
): void {
  try {
    window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // Storage fails in private windows and on full disks.
  }
}
