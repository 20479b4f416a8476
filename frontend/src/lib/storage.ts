/**
 * Small values in the browser's storage. Storage may be full, forbidden or contain values of
 * another build: then the value is undefined.
 */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Stores a JSON value; failures are ignored. */
export function writeStored(key: string, value: unknown): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage fails in private windows and on full disks.
  }
}
