import { gzipSync } from 'node:zlib';
import type { Page, Request, Response } from '@playwright/test';

/** Gzipped bytes and number of the scripts that a page requests without interaction. */
const MAX_SCRIPT_BYTES = 125_000;
const MAX_SCRIPTS = 15;
/** Requests are counted until this many milliseconds after the `load` event. */
const LOADING_MS = 3_000;

interface Script {
  path: string;
  gzippedBytes: number;
}

/**
 * Records the scripts that a page requests from now on, except those prefetched for a later
 * navigation. The returned function waits until the loading time is over.
 */
export function recordScripts(page: Page): () => Promise<Script[]> {
  const responses = new Map<string, Response>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.endsWith('.js') && !responses.has(pathname)) responses.set(pathname, response);
  });
  return async () => {
    await page.waitForFunction((milliseconds) => {
      const [navigation] = performance.getEntriesByType('navigation');
      const { loadEventEnd } = navigation as PerformanceNavigationTiming;
      return loadEventEnd > 0 && performance.now() > loadEventEnd + milliseconds;
    }, LOADING_MS);
    const scripts: Script[] = [];
    for (const [path, response] of responses) {
      if (await isPrefetch(response.request())) continue;
      scripts.push({ path, gzippedBytes: gzipped(await response.body()) });
    }
    return scripts;
  };
}

/** Descriptions of the exceeded budgets. */
export function exceededScriptBudgets(scripts: readonly Script[]): string[] {
  const bytes = scripts.reduce((sum, { gzippedBytes }) => sum + gzippedBytes, 0);
  const list = scripts.map(({ path, gzippedBytes }) => `${path} ${gzippedBytes}`).join(', ');
  return [
    ...(bytes > MAX_SCRIPT_BYTES ? [`${bytes} of ${MAX_SCRIPT_BYTES} bytes: ${list}`] : []),
    ...(scripts.length > MAX_SCRIPTS ? [`${scripts.length} of ${MAX_SCRIPTS} files: ${list}`] : []),
  ];
}

async function isPrefetch(request: Request): Promise<boolean> {
  const headers = await request.allHeaders();
  return (headers['sec-purpose'] ?? headers.purpose ?? '').includes('prefetch');
}

function gzipped(body: Buffer): number {
  return gzipSync(body, { level: 9 }).length;
}
