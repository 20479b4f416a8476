import { gzipSync } from 'node:zlib';
import type { Browser, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hydrated, launch, newContext } from './browser.ts';
import { address, LOCALE_IDS, targets } from './site.ts';

/** Gzipped bytes and number of the scripts that a page requests by itself. */
const MAX_BYTES = 125_000;
const MAX_FILES = 15;
/** Requests count until this long after the load. */
const LOADING_MS = 3_000;

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

describe.each(LOCALE_IDS)('%s', async (locale) => {
  test.concurrent.each(await targets(locale))(
    '$name requests no more scripts than the budget without interaction',
    async ({ name, path }) => {
      const context = await newContext(browser);
      const page = await context.newPage();
      const scripts = new Map<string, Promise<number>>();
      page.on('response', (response) => {
        const request = response.request();
        const isScript = /\.js$/.test(new URL(request.url()).pathname);
        if (!isScript || scripts.has(request.url())) return;
        scripts.set(
          request.url(),
          isPrefetch(request).then(async (ahead) => (ahead ? 0 : size(await response.body()))),
        );
      });
      await page.goto(address(locale, path));
      await hydrated(page);
      await page.waitForTimeout(LOADING_MS);
      const files = await Promise.all(
        [...scripts].map(async ([url, bytes]) => ({ url, bytes: await bytes })),
      );
      await context.close();
      const counted = files.filter(({ bytes }) => bytes > 0);
      const bytes = counted.reduce((sum, file) => sum + file.bytes, 0);
      const list = counted
        .map((file) => `${new URL(file.url).pathname.slice(8)} ${file.bytes}`)
        .join(', ');
      if (process.env.BUDGET_TABLE) console.log(locale, name, bytes, counted.length, list);
      expect(bytes, list).toBeLessThanOrEqual(MAX_BYTES);
      expect(counted.length, list).toBeLessThanOrEqual(MAX_FILES);
    },
  );
});

/** Whether the browser fetches a file for a later navigation. */
async function isPrefetch(request: Request): Promise<boolean> {
  const headers = await request.allHeaders();
  return (headers['sec-purpose'] ?? headers.purpose ?? '').includes('prefetch');
}

function size(body: Buffer): number {
  return gzipSync(body, { level: 9 }).length;
}
