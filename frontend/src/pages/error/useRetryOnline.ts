import { useEffect } from 'react';

/** Pause between attempts while the network is back but the site does not answer yet. */
const RETRY_DELAY_MS = 3_000;
const MAX_ATTEMPTS = 20;

/**
 * Reloads the page once the device is back online. The site must answer first: a reload without an
 * answer would replace the page by the browser's own error page.
 */
export function useRetryOnline(): void {
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener('online', () => retry(signal), { signal });
    return () => stop.abort();
  }, []);
}

async function retry(signal: AbortSignal) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS && navigator.onLine; attempt += 1) {
    try {
      await fetch(window.location.href, { method: 'HEAD', cache: 'no-store', signal });
      window.location.reload();
      return;
    } catch {
      if (signal.aborted) return;
      await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
    }
  }
}
