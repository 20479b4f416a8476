import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCALES } from '../src/lib/locale.ts';
import {
  complaintsOf,
  DEVICE_NAMES,
  hydrated,
  launch,
  layoutShifts,
  newContext,
  SCHEMES,
} from './browser.ts';
import { address, LOCALE_IDS, targets } from './site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

/** What axe finds wrong, one line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const results = await page.evaluate(
    (rules) =>
      (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly: rules,
      }),
    RULES,
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`),
  );
}

for (const locale of LOCALE_IDS) {
  const pages = await targets(locale);
  for (const device of DEVICE_NAMES) {
    for (const scheme of SCHEMES) {
      describe(`${locale} ${device} ${scheme}`, () => {
        test.each(pages)('$name', async ({ page: id, path, status }) => {
          const context = await newContext(browser, { device, scheme });
          const page = await context.newPage();
          const complaints = complaintsOf(page, status);
          const response = await page.goto(address(locale, path));
          await hydrated(page);

          expect(response?.status()).toBe(status);
          const root = page.locator('html');
          expect(await root.getAttribute('lang')).toBe(LOCALES[locale].tag);
          expect(await root.getAttribute('dir')).toBe(LOCALES[locale].dir);
          expect(await root.getAttribute('data-page')).toBe(id);
          expect(await root.getAttribute('data-platform')).toBe(device === 'pc' ? 'pc' : 'mobile');
          expect(await page.locator('h1').count()).toBe(1);
          expect(await page.locator('main').count()).toBe(1);
          expect(await violations(page)).toEqual([]);
          expect(await sidewaysOverflow(page)).toBe(0);
          expect(await layoutShifts(page)).toEqual([]);
          expect(complaints).toEqual([]);
          await context.close();
        });
      });
    }
  }
}

/** How much wider the page is than its window. */
function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
