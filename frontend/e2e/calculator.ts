import type { Locator, Page } from '@playwright/test';

/** The fee calculator of `/pricing`. */
export function calculator(page: Page) {
  const form = page.locator('main section[aria-labelledby="calculator"]');
  return {
    form,
    /** The text fields in order: quantity, price. */
    field: (index: number): Locator => form.locator('input[type="text"]').nth(index),
    /** The radio button of a market or a side. */
    choice: (value: string): Locator => form.locator(`input[value="${value}"]`),
    /** The line amounts and the total of the result, as plain numbers. */
    async result(): Promise<string> {
      const figure = page.locator('main figure').first();
      const number = (text: string) => text.replace(/[^\d.,]/g, '').replaceAll(',', '');
      const lines = await figure.locator('dd').allTextContents();
      const total = await figure.locator('p bdi').first().textContent();
      return `${lines.map(number).join(' ')} = ${number(total ?? '')}`;
    },
  };
}
