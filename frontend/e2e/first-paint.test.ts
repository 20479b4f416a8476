import type { PageScripts } from '../src/app/page-scripts.ts';
import { hydrated } from './browser.ts';
import { TARGETS, urlOf } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

const PAGES = ['home', 'pricing', 'article', 'support'];

for (const target of TARGETS.filter(({ name }) => PAGES.includes(name)))
  test(
    `${target.name} is painted before its scripts are fetched`,
    EACH_LOCALE,
    async ({ page, locale }) => {
      const response = await page.goto(await urlOf(locale, target));
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
    },
  );
