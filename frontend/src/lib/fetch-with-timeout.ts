const DEFAULT_TIMEOUT_MS = 10_000;
const MIN_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 15_000;
/** A timeout makes the next limit this times what the call took. */
const TIMEOUT_MULTIPLIER = 1.5;

/** The time limit after one that was exceeded: 1.5 times what it took, within 10 to 15 s. */
export function nextTimeout(elapsed: number): number {
  return Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, elapsed * TIMEOUT_MULTIPLIER));
}

let limit = DEFAULT_TIMEOUT_MS;

/**
 * Fetches within the adaptive time limit and reads the body within it too. Rejects with a
 * `TimeoutError` when it is over, with an `AbortError` when `signal` says so.
 */
export async function fetchWithTimeout<T>(
  input: string,
  init: RequestInit,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  const deadline = AbortSignal.timeout(limit);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
  try {
    return await read(await fetch(input, { ...init, signal }));
  } catch (error) {
    if (isTimeout(error)) limit = nextTimeout(performance.now() - begun);
    throw error;
  }
}

export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
