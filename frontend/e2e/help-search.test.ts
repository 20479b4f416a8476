import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { complaintsOf, hydrated, launch, newContext } from './browser.ts';
import { address, LOCALE_IDS } from './site.ts';

const WORDS = { 'en-us': 'withdraw', 'ar-sa': 'سحب' } as const;

let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());

beforeEach(async () => {
  context = await newContext(browser);
  page = await context.newPage();
  complaints = complaintsOf(page);
});

afterEach(() => context.close());

const box = () => page.locator('main input[name="keyword"]');
const options = () => page.locator('main [role="option"]');
const active = () => box().getAttribute('aria-activedescendant');

async function suggest(word: string) {
  await page.goto(address('en-us', '/support'));
  await hydrated(page);
  await box().fill(word);
  await options().first().waitFor();
}

describe('suggestions', () => {
  test('are walked with the arrows and left with Escape', async () => {
    await suggest('account');
    expect(await box().getAttribute('aria-expanded')).toBe('true');
    expect(await active()).toBeNull();
    await box().press('ArrowDown');
    expect(await active()).toBe(await options().first().getAttribute('id'));
    expect(await options().first().getAttribute('aria-selected')).toBe('true');
    await box().press('ArrowUp');
    expect(await active()).toBeNull();
    await box().press('ArrowUp');
    expect(await active()).toBe(await options().last().getAttribute('id'));
    await box().press('Escape');
    expect(await box().getAttribute('aria-expanded')).toBe('false');
    expect(await options().first().isVisible()).toBe(false);
    expect(await box().inputValue()).toBe('account');
    expect(complaints).toEqual([]);
  });

  test('open the chosen document without loading another', async () => {
    await suggest('withdraw money');
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const title = await options().first().textContent();
    await box().press('ArrowDown');
    await box().press('Enter');
    await page.waitForURL('**/en-us/support/detail/*');
    await page.locator('h1', { hasText: title ?? '' }).waitFor();
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('can be clicked', async () => {
    await suggest('withdraw money');
    const title = await options().first().textContent();
    await options().first().click();
    await page.locator('h1', { hasText: title ?? '' }).waitFor();
  });

  test('go when the focus leaves the box', async () => {
    await suggest('account');
    await page.locator('main h1').click();
    await options().first().waitFor({ state: 'hidden' });
  });
});

describe.each(LOCALE_IDS)('the results in %s', (locale) => {
  test.each([true, false])('stand in the HTML with marks; scripts: %s', async (scripts) => {
    const visit = await newContext(browser, { javaScriptEnabled: scripts });
    const plain = await visit.newPage();
    await plain.goto(address(locale, '/support'));
    if (scripts) await hydrated(plain);
    await plain.locator('main input[name="keyword"]').fill(WORDS[locale]);
    await plain.locator('main search button[type="submit"]').click();
    await plain.waitForURL('**/support/search?keyword=*');
    expect(await plain.locator('main input[name="keyword"]').inputValue()).toBe(WORDS[locale]);
    expect(await plain.locator('main h2').first().textContent()).toContain(WORDS[locale]);
    expect(await plain.locator('main li mark').count()).toBeGreaterThan(0);
    const link = plain.locator('main li h3 a').first();
    expect(await link.getAttribute('href')).toMatch(new RegExp(`^/${locale}/`));
    await visit.close();
  });

  test('of nothing say so and offer the common questions', async () => {
    await page.goto(address(locale, '/support/search?keyword=qqqqzzzz'));
    await hydrated(page);
    const text = await page.locator('main').textContent();
    expect(text).toContain(locale === 'en-us' ? 'No results found' : 'لم يُعثر على نتائج');
    expect(await page.locator('main details').count()).toBeGreaterThan(3);
    expect(complaints).toEqual([]);
  });
});
