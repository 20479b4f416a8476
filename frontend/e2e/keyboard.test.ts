import { DEVICES, open, waitForPageId } from './browser.ts';
import { address } from './site.ts';
import { EACH_LOCALE, expect, test } from './test.ts';

test.use({ reducedMotion: 'reduce' });

test.describe('by keyboard', EACH_LOCALE, () => {
  test('the first tab stop skips to the content', async ({ page, locale }) => {
    await open(page, address(locale, '/news'));
    await page.keyboard.press('Tab');
    const skip = page.locator('a[href="#main"]');
    expect(await skip.evaluate((link) => link === document.activeElement)).toBe(true);
    expect(await skip.isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.closest('main') !== null);
  });

  test('a menu opens, its links are reachable, Escape closes it and keeps the focus', async ({
    page,
    locale,
  }) => {
    await open(page, address(locale, '/news'));
    const menu = page.locator('[data-chrome="header"] nav details').first();
    const summary = menu.locator('summary');
    await summary.focus();
    await page.keyboard.press('Enter');
    await menu.locator('a').first().waitFor();
    await page.keyboard.press('Tab');
    expect(await menu.evaluate((node) => node.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await page.waitForFunction(
      (node) => !(node as HTMLDetailsElement).open,
      await menu.elementHandle(),
    );
    expect(await summary.evaluate((node) => node === document.activeElement)).toBe(true);
  });

  test('one menu is open at a time, and a click outside closes it', async ({ page, locale }) => {
    await open(page, address(locale, '/news'));
    const menus = page.locator('[data-chrome="header"] nav details');
    const openMenus = page.locator('[data-chrome="header"] nav details[open]');
    await menus.nth(0).locator('summary').click();
    await menus.nth(1).locator('summary').click();
    await expect.poll(() => openMenus.count()).toBe(1);
    await page.mouse.click(700, 800);
    await expect.poll(() => openMenus.count()).toBe(0);
  });

  test.describe('on a phone', () => {
    test.use(DEVICES.phone);

    test('the slide-out menu opens, traps the focus, follows a link and closes', async ({
      page,
      locale,
    }) => {
      await open(page, address(locale, '/'));
      const button = page.locator('[data-chrome="header"] button[aria-haspopup="dialog"]');
      await button.focus();
      await page.keyboard.press('Enter');
      const dialog = page.locator('dialog[open]');
      await dialog.waitFor();
      expect(await dialog.evaluate((node) => node.contains(document.activeElement))).toBe(true);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
      expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);

      await page.keyboard.press('Enter');
      const sections = dialog.locator('details');
      await sections.first().locator('summary').click();
      await sections.nth(1).locator('summary').click();
      await expect.poll(() => dialog.locator('details[open]').count()).toBe(1);
      await dialog.locator(`a[href="/${locale}/news/us"]`).evaluate((link) => {
        const section = link.closest('details');
        if (section) section.open = true;
      });
      await dialog.locator(`a[href="/${locale}/news/us"]`).click();
      await waitForPageId(page, 'news-us');
      await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    });
  });

  test('the share panel traps the focus, and Escape and its backdrop close it', async ({
    page,
    locale,
  }) => {
    await open(page, address(locale, '/news/content/1001'));
    const button = page.locator('main button[aria-haspopup="dialog"]');
    const dialog = page.locator('dialog[open]');
    const hasFocus = () => dialog.evaluate((node) => node.contains(document.activeElement));
    await button.focus();
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(10, 450),
      () => dialog.locator('form[method="dialog"] button').press('Enter'),
    ]) {
      await page.keyboard.press('Enter');
      await dialog.waitFor();
      for (let stop = 0; stop < 12; stop += 1) {
        expect(await hasFocus()).toBe(true);
        await page.keyboard.press('Tab');
        // After the last tab stop, the browser's own controls may have the focus.
        if (!(await hasFocus())) await page.keyboard.press('Tab');
      }
      await close();
      await expect.poll(() => dialog.count()).toBe(0);
      expect(await button.evaluate((node) => node === document.activeElement)).toBe(true);
    }
  });
});
