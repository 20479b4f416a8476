import { gzipSync } from 'node:zlib';
import type { Page, Request } from '@playwright/test';

/** Gzipped bytes and number of the scripts that a page requests by itself. */
export const MAX_SCRIPT_BYTES = 125_000;
export const MAX_SCRIPTS = 15;
/** Requests count until this long after the load. */
const LOADING_MS = 3_000;

interface Script {
  path: string;
  gzippedBytes: number;
}

/**
 * Records the scripts that a page requests from now on; what is prefetched for a later navigation
 * does not count. The function that is returned waits until the page has had its time.
 */
export function recordScripts(page: Page): () => Promise<Script[]> {
  const sizes = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const request = response.request();
    const { pathname } = new URL(request.url());
    if (!pathname.endsWith('.js') || sizes.has(pathname)) return;
    sizes.set(
      pathname,
      isPrefetch(request).then(async (ahead) => (ahead ? 0 : gzipped(await response.body()))),
    );
  });
  return async () => {
    await page.waitForFunction((milliseconds) => {
      const [navigation] = performance.getEntriesByType('navigation');
      const { loadEventEnd } = navigation as PerformanceNavigationTiming;
      return loadEventEnd > 0 && performance.now() > loadEventEnd + milliseconds;
    }, LOADING_MS);
    const scripts = await Promise.all(
      [...sizes].map(async ([path, size]) => ({ path, gzippedBytes: await size })),
    );
    return scripts.filter(({ gzippedBytes }) => gzippedBytes > 0);
  };
}

async function isPrefetch(request: Request): Promise<boolean> {
  const headers = await request.allHeaders();
  return (headers['sec-purpose'] ?? headers.purpose ?? '').includes('prefetch');
}

function gzipped(body: Buffer): number {
  return gzipSync(body, { level: 9 }).length;
}
