import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOnly } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCALES, type Locale } from '../src/lib/locale.ts';
import {
  complaintsOf,
  DEVICE_NAMES,
  DEVICES,
  hydrated,
  launch,
  layoutShifts,
  newContext,
  type Scheme,
  type View,
} from './browser.ts';
import { address, type Target, targets } from './site.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The rules whose result depends on colours. */
const COLOUR_RULES: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

let browser: Browser;

/**
 * Once colours stand still: the theme may come after the first paint, and the header fades. What
 * ends may begin another.
 */
async function transitionsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
    const underWay = () => document.getAnimations().filter((one) => one instanceof CSSTransition);
    do {
      await Promise.allSettled(underWay().map((one) => one.finished));
      await frame();
      await frame();
    } while (underWay().length > 0);
  });
}

/** What axe finds wrong, one line each. */
async function violations(page: Page, runOnly: RunOnly): Promise<string[]> {
  await transitionsEnd(page);
  await page.evaluate(AXE);
  const results = await page.evaluate(
    (runOnly) =>
      (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        runOnly,
        // What is right is not listed.
        resultTypes: ['violations'],
      }),
    runOnly,
  );
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) => `${id}: ${help} (${target.join(' ')}): ${failureSummary}`,
    ),
  );
}

/** Opens a page and checks what holds for every page; one opened light is checked in dark colours too. */
async function looksRight(view: View, locale: Locale, { page: id, path, status }: Target) {
  const context = await newContext(browser, view);
  const page = await context.newPage();
  const complaints = complaintsOf(page, status);
  const response = await page.goto(address(locale, path));
  await hydrated(page);
  await schemeApplies(page, view.scheme ?? 'light');

  expect(response?.status()).toBe(status);
  const root = page.locator('html');
  expect(await root.getAttribute('lang')).toBe(LOCALES[locale].tag);
  expect(await root.getAttribute('dir')).toBe(LOCALES[locale].dir);
  expect(await root.getAttribute('data-page')).toBe(id);
  expect(await root.getAttribute('data-platform')).toBe(platformOf(view));
  expect(await page.locator('h1').count()).toBe(1);
  expect(await page.locator('main').count()).toBe(1);
  const missing = page.locator('[data-status="page-not-found"]');
  expect(await missing.count()).toBe(status === 404 ? 1 : 0);
  expect(await violations(page, RULES)).toEqual([]);
  expect(await sidewaysOverflow(page)).toBe(0);
  expect(await layoutShifts(page)).toEqual([]);
  if (view.scheme === 'light') {
    await page.emulateMedia({ colorScheme: 'dark' });
    await schemeApplies(page, 'dark');
    expect(await violations(page, COLOUR_RULES)).toEqual([]);
  }
  expect(complaints).toEqual([]);
  await context.close();
}

/** A busy browser may apply the scheme after the first paint. */
async function schemeApplies(page: Page, scheme: Scheme): Promise<void> {
  await page.waitForFunction(
    (scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches,
    scheme,
  );
}

function platformOf({ device, userAgent }: View): string {
  if (userAgent?.includes('SahmApp/')) return 'app';
  return device === 'phone' ? 'mobile' : 'pc';
}

const APP = `${DEVICES.phone.userAgent} SahmApp/5.1`;
/** Pages of each layout, and of texts, figures, forms and drawings. */
const OF_EACH_KIND = [
  'home',
  'news',
  'article',
  'invest-us-options',
  'pricing',
  'about',
  'support',
];
const EXTREMES: View[] = [
  { device: 'phone', viewport: { width: 320, height: 640 } },
  { device: 'pc', viewport: { width: 2560, height: 1440 } },
];

/** Tests of every page in a language; each language is a file, so that two run at a time. */
export async function testPages(locale: Locale): Promise<void> {
  beforeAll(async () => {
    browser = await launch();
  });

  afterAll(() => browser.close());

  const pages = await targets(locale);
  const some = pages.filter(({ name }) => OF_EACH_KIND.includes(name));
  for (const device of DEVICE_NAMES) {
    describe(`${locale} ${device} light, then dark`, () => {
      test.each(pages)('$name', (target) =>
        looksRight({ device, scheme: 'light' }, locale, target),
      );
    });
    describe(`${locale} ${device} opened dark`, () => {
      test.each(some)('$name', (target) => looksRight({ device, scheme: 'dark' }, locale, target));
    });
  }
  describe(`${locale} in the app`, () => {
    const userAgent = `${APP} Theme/${locale === 'ar-sa' ? 'dark' : 'light'}`;
    test.each(some)('$name', (target) =>
      looksRight({ device: 'phone', userAgent }, locale, target),
    );
  });
  describe.each(EXTREMES)(`${locale} in a window of $viewport.width px`, (view) => {
    test.each(some)('$name is no wider', async ({ path }) => {
      const context = await newContext(browser, view);
      const page = await context.newPage();
      await page.goto(address(locale, path));
      await hydrated(page);
      expect(await sidewaysOverflow(page)).toBe(0);
      await context.close();
    });
  });
}

/** How much wider the page is than its window. */
function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}
