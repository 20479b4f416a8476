import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageScripts } from '../src/app/page-scripts.ts';
import { hydrated, launch, newContext } from './browser.ts';
import { address, LOCALE_IDS, targets } from './site.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

const PAGES = ['home', 'pricing', 'article', 'support'];

describe.each(LOCALE_IDS)('%s', async (locale) => {
  const pages = (await targets(locale)).filter(({ name }) => PAGES.includes(name));

  test.each(pages)('$name is painted before its scripts are fetched', async ({ path }) => {
    const context = await newContext(browser);
    const page = await context.newPage();
    const response = await page.goto(address(locale, path));
    const html = (await response?.text()) ?? '';
    const json = /id="sahm-scripts">(.*?)<\/script>/.exec(html)?.[1] ?? '';
    const { entry, preload } = JSON.parse(json) as PageScripts;
    const listed = [entry, ...preload];
    await hydrated(page);
    const { painted, fetched } = await page.evaluate(() => ({
      painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity,
      fetched: performance
        .getEntriesByType('resource')
        .map(({ name, startTime }) => ({ name, startTime })),
    }));
    expect(listed.length).toBeGreaterThan(5);
    for (const script of listed) {
      const fetches = fetched.filter(({ name }) => new URL(name).pathname === script);
      expect(fetches.length, script).toBe(1);
      expect(fetches[0]?.startTime, script).toBeGreaterThanOrEqual(painted);
    }
    await context.close();
  });
});
