import type { Page } from '@playwright/test';
import { hydrated, open } from './browser.ts';
import { address } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

const WORDS = { 'en-us': 'withdraw', 'ar-sa': 'سحب' } as const;

const box = (page: Page) => page.locator('main input[name="keyword"]');
const options = (page: Page) => page.locator('main [role="option"]');
const active = (page: Page) => box(page).getAttribute('aria-activedescendant');

async function suggest(page: Page, word: string) {
  await open(page, address('en-us', '/support'));
  await box(page).fill(word);
  await options(page).first().waitFor();
}

test.describe('suggestions', () => {
  test('are selected with the arrow keys and closed with Escape', async ({ page, pageErrors }) => {
    await suggest(page, 'account');
    expect(await box(page).getAttribute('aria-expanded')).toBe('true');
    expect(await active(page)).toBeNull();
    await box(page).press('ArrowDown');
    expect(await active(page)).toBe(await options(page).first().getAttribute('id'));
    expect(await options(page).first().getAttribute('aria-selected')).toBe('true');
    await box(page).press('ArrowUp');
    expect(await active(page)).toBeNull();
    await box(page).press('ArrowUp');
    expect(await active(page)).toBe(await options(page).last().getAttribute('id'));
    await box(page).press('Escape');
    expect(await box(page).getAttribute('aria-expanded')).toBe('false');
    expect(await options(page).first().isVisible()).toBe(false);
    expect(await box(page).inputValue()).toBe('account');
    expect(pageErrors).toEqual([]);
  });

  test('open the chosen help document by a client navigation', async ({ page, pageErrors }) => {
    await suggest(page, 'withdraw money');
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const title = await options(page).first().textContent();
    await box(page).press('ArrowDown');
    await box(page).press('Enter');
    await page.waitForURL('**/en-us/support/detail/*');
    await page.locator('h1', { hasText: title ?? '' }).waitFor();
    expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
    expect(pageErrors).toEqual([]);
  });

  test('can be clicked', async ({ page }) => {
    await suggest(page, 'withdraw money');
    const title = await options(page).first().textContent();
    await options(page).first().click();
    await page.locator('h1', { hasText: title ?? '' }).waitFor();
  });

  test('close when the focus leaves the box', async ({ page }) => {
    await suggest(page, 'account');
    await page.locator('main h1').click();
    await options(page).first().waitFor({ state: 'hidden' });
  });
});

test.describe('the results', EACH_LOCALE, () => {
  for (const scripts of [true, false])
    test(`are in the HTML with marked words; scripts: ${scripts}`, async ({ browser, locale }) => {
      const visit = await browser.newContext({ javaScriptEnabled: scripts });
      const plain = await visit.newPage();
      await plain.goto(address(locale, '/support'));
      if (scripts) await hydrated(plain);
      await plain.locator('main input[name="keyword"]').fill(WORDS[locale]);
      await plain.locator('main search button[type="submit"]').click();
      await plain.waitForURL('**/support/search?keyword=*');
      await expect(plain).toHaveTitle(new RegExp(`^${WORDS[locale]} \\| .+ \\| (Sahm|سهم)$`));
      expect(await plain.locator('main input[name="keyword"]').inputValue()).toBe(WORDS[locale]);
      expect(await plain.locator('main h2').first().textContent()).toContain(WORDS[locale]);
      expect(await plain.locator('main li mark').count()).toBeGreaterThan(0);
      const link = plain.locator('main li h3 a').first();
      expect(await link.getAttribute('href')).toMatch(new RegExp(`^/${locale}/`));
      await visit.close();
    });

  test('of a search without matches offer the common questions', async ({
    page,
    pageErrors,
    locale,
  }) => {
    await open(page, address(locale, '/support/search?keyword=qqqqzzzz'));
    const text = await page.locator('main').textContent();
    expect(text).toContain(locale === 'en-us' ? 'No results found' : 'لم يُعثر على نتائج');
    expect(await page.locator('main details').count()).toBeGreaterThan(3);
    expect(pageErrors).toEqual([]);
  });
});
