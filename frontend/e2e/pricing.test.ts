import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { hydrated, launch, newContext } from './browser.ts';
import { calculator } from './calculator.ts';
import { address, LOCALE_IDS } from './site.ts';

let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await launch();
});

afterAll(() => browser.close());
afterEach(() => context.close());

async function open(locale: 'en-us' | 'ar-sa', javaScriptEnabled = true) {
  context = await newContext(browser, { javaScriptEnabled });
  page = await context.newPage();
  await page.goto(address(locale, '/pricing'));
  if (javaScriptEnabled) await hydrated(page);
}

const form = () => calculator(page).form;
const field = (index: number) => calculator(page).field(index);
const choose = (value: string) => calculator(page).choice(value).check();
const result = () => calculator(page).result();

describe.each(LOCALE_IDS)('the fee calculator, %s', (locale) => {
  test('shows an example without scripts', async () => {
    await open(locale, false);
    expect(await result()).toBe('7.50 3.00 0.90 0.50 0.10 1.13 = 13.13');
    expect(await form().locator('noscript').count()).toBe(1);
  });

  test('follows what is typed, in digits of either script', async () => {
    await open(locale);
    await field(0).fill('٤٬٠٠٠');
    await field(1).fill('٢٥٫٠٠');
    await expect.poll(result).toBe('102.00 30.00 9.00 5.00 1.00 15.30 = 162.30');
    await field(0).fill('40');
    await expect.poll(result).toBe('0.32 0.30 0.09 0.05 0.01 0.05 = 0.82');
  });

  test('adds the SEC fee to sells of US shares only', async () => {
    await open(locale);
    await choose('us');
    await expect.poll(result).toBe('1.99 0.30 0.01 0.30 = 2.60');
    await choose('sell');
    await expect.poll(result).toBe('1.99 0.30 0.02 0.01 0.30 = 2.62');
  });

  test('names what is wrong beside the field and says the new total aloud', async () => {
    await open(locale);
    const figure = page.locator('main figure').first();
    const height = async () => (await form().boundingBox())?.height;
    const before = await height();
    await field(1).fill('abc');
    const input = field(1);
    await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true');
    const problem = await input.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${problem}"]`).textContent()).not.toBe('');
    expect(await figure.isVisible()).toBe(false);
    expect(await height()).toBe(before);
    await field(1).fill('25');
    await expect
      .poll(() => page.locator('main [role="status"]').first().textContent())
      .toMatch(/13\.13/);
    expect(await input.getAttribute('aria-invalid')).toBeNull();
  });

  test('works by keyboard', async () => {
    await open(locale);
    await calculator(page).choice('saudi').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(result).toBe('1.99 0.30 0.01 0.30 = 2.60');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await expect.poll(result).toBe('1.99 0.30 0.02 0.01 0.30 = 2.62');
  });
});
