/**
 * Small things that the browser keeps for its reader. Storage may be full, forbidden or hold what
 * another build wrote: then there is nothing.
 */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/** Keeps a value of JSON's; where that fails nobody misses it. */
export function writeStored(key: string, value: unknown): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Private windows and full disks.
  }
}
