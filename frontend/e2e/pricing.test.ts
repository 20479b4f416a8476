import type { Page } from '@playwright/test';
import { open } from './browser.ts';
import { calculator } from './calculator.ts';
import { address } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

const form = (page: Page) => calculator(page).form;
const field = (page: Page, index: number) => calculator(page).field(index);
const choose = (page: Page, value: string) => calculator(page).choice(value).check();
const result = (page: Page) => calculator(page).result();

test.describe('the Saudi fee table', EACH_LOCALE, () => {
  test('has the sum of the rates before VAT', async ({ page, locale }) => {
    await open(page, address(locale, '/pricing'));
    const table = page.locator('section[aria-labelledby="fees-saudi"] table');
    const rates = (await table.locator('tbody td').allTextContents()).map((text) =>
      Number(text.replace(/[^\d.]/g, '')),
    );
    const sum = rates.slice(0, -2).reduce((total, rate) => total + rate, 0);
    expect(rates.at(-2)?.toFixed(3)).toBe(sum.toFixed(3));
  });
});

test.describe('the fee calculator', EACH_LOCALE, () => {
  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });

    test('shows an example', async ({ page, locale }) => {
      await page.goto(address(locale, '/pricing'));
      expect(await result(page)).toBe('7.50 3.00 0.90 0.50 0.10 1.13 = 13.13');
      expect(await form(page).locator('noscript').count()).toBe(1);
    });
  });

  test('accepts digits of either script', async ({ page, locale }) => {
    await open(page, address(locale, '/pricing'));
    await field(page, 0).fill('٤٬٠٠٠');
    await field(page, 1).fill('٢٥٫٠٠');
    await expect.poll(() => result(page)).toBe('102.00 30.00 9.00 5.00 1.00 15.30 = 162.30');
    await field(page, 0).fill('40');
    await expect.poll(() => result(page)).toBe('0.32 0.30 0.09 0.05 0.01 0.05 = 0.82');
  });

  test('adds the SEC fee to sells of US shares only', async ({ page, locale }) => {
    await open(page, address(locale, '/pricing'));
    await choose(page, 'us');
    await expect.poll(() => result(page)).toBe('1.99 0.30 0.01 0.30 = 2.60');
    await choose(page, 'sell');
    await expect.poll(() => result(page)).toBe('1.99 0.30 0.02 0.01 0.30 = 2.62');
  });

  test('shows errors beside the field and announces the new total', async ({ page, locale }) => {
    await open(page, address(locale, '/pricing'));
    const figure = page.locator('main figure').first();
    const height = async () => (await form(page).boundingBox())?.height;
    const before = await height();
    await field(page, 1).fill('abc');
    const input = field(page, 1);
    await expect.poll(() => input.getAttribute('aria-invalid')).toBe('true');
    const problem = await input.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${problem}"]`).textContent()).not.toBe('');
    expect(await figure.isVisible()).toBe(false);
    expect(await height()).toBe(before);
    await field(page, 1).fill('25');
    await expect
      .poll(() => page.locator('main [role="status"]').first().textContent())
      .toMatch(/13\.13/);
    expect(await input.getAttribute('aria-invalid')).toBeNull();
  });

  test('works by keyboard', async ({ page, locale }) => {
    await open(page, address(locale, '/pricing'));
    await calculator(page).choice('saudi').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => result(page)).toBe('1.99 0.30 0.01 0.30 = 2.60');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => result(page)).toBe('1.99 0.30 0.02 0.01 0.30 = 2.62');
  });
});
