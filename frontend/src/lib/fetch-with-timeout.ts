const MIN_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 15_000;
/** After a timeout the next limit is the elapsed time multiplied by this. */
const TIMEOUT_MULTIPLIER = 1.5;

/** The timeout after one that expired: 1.5 × the elapsed time, between 10 and 15 s. */
export function nextTimeout(elapsed: number): number {
  return Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, elapsed * TIMEOUT_MULTIPLIER));
}

let limit = MIN_TIMEOUT_MS;

/**
 * Fetches and reads the body within the adaptive timeout. Rejects with a `TimeoutError` after it,
 * or with an `AbortError` if `signal` aborts.
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
