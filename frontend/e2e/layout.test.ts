import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hydrated, launch, newContext, type View } from './browser.ts';
import type { Locale } from '../src/lib/locale.ts';
import { address, LOCALE_IDS } from './site.ts';

let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

async function open(locale: Locale, path: string, view: View): Promise<Page> {
  context = await newContext(browser, view);
  const page = await context.newPage();
  await page.goto(address(locale, path));
  await hydrated(page);
  return page;
}

function phone(width: number): View {
  return { device: 'phone', viewport: { width, height: 800 } };
}

/** How much wider the page is than its window. */
function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

/** Words and numbers of the elements that stand on more than one line. */
function brokenWords(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const broken: string[] = [];
    for (const element of document.querySelectorAll(selector)) {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        for (const { index, 0: word } of (node.nodeValue ?? '').matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const tops = [...range.getClientRects()].map(({ top }) => top);
          if (Math.max(...tops) - Math.min(...tops) > 4) broken.push(word);
        }
      }
    }
    return broken;
  }, selector);
}

describe.each(LOCALE_IDS)('%s tables of texts', (locale) => {
  test.each([
    ['/support/detail/us-fees', 320],
    ['/support/detail/us-fees', 390],
    ['/support/detail/us-fees', 1440],
    ['/education/article/the-margin-call', 320],
    ['/education/article/the-margin-call', 390],
  ])('on %s at %d px break no word and no number', async (path, width) => {
    const page = await open(locale, path, phone(width));
    expect(await page.locator('main table').count()).toBeGreaterThan(0);
    expect(await brokenWords(page, 'main :is(td, th)')).toEqual([]);
    expect(await sidewaysOverflow(page)).toBe(0);
    await context.close();
  });

  test('scroll by the keyboard below their first column', async () => {
    const page = await open(locale, '/support/detail/us-fees', phone(320));
    const table = page.locator('main table').first();
    const region = page.locator('section:has(> table)').first();
    expect(await region.getAttribute('aria-label')).toMatch(/1$/);
    const heads = table.locator('th');
    const leftOf = async (n: number) => (await heads.nth(n).boundingBox())?.x ?? 0;
    const [first, last] = [await leftOf(0), await leftOf(2)];
    await region.focus();
    await page.keyboard.press(locale === 'ar-sa' ? 'ArrowLeft' : 'ArrowRight');
    await expect.poll(() => leftOf(2)).not.toBe(last);
    expect(await leftOf(0)).toBe(first);
    await context.close();
  });
});

test.each([
  ['/invest/us-options', 2],
  ['/invest/us-warrants', 1],
  ['/invest/us-etfs', 1],
  ['/invest/saudi-suku-bonds', 1],
  ['/invest', 6],
])('in Arabic the axes on %s are not mirrored and their texts are inside', async (path, least) => {
  const page = await open('ar-sa', path, phone(390));
  const { count, mirrored, outside } = await page.evaluate(() => {
    const charts = [...document.querySelectorAll<SVGGraphicsElement>('main [data-chart]')];
    const isMirrored = (chart: SVGGraphicsElement) => (chart.getScreenCTM()?.a ?? 0) <= 0;
    const texts = charts.flatMap((chart) => [...chart.querySelectorAll('text')]);
    return {
      count: charts.length,
      mirrored: charts.filter(isMirrored).length,
      outside: texts
        .filter((text) => {
          const { left, right } = text.getBoundingClientRect();
          const drawing = text.ownerSVGElement?.getBoundingClientRect();
          return !drawing || left < drawing.left || right > drawing.right;
        })
        .map(({ textContent }) => textContent),
    };
  });
  expect(count).toBeGreaterThanOrEqual(least);
  expect(mirrored).toBe(0);
  expect(outside).toEqual([]);
  await context.close();
});
