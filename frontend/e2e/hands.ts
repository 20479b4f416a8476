import type { Locator, Page } from '@playwright/test';

/** How a visitor acts: with a pointer, or by keyboard alone. */
export interface Hands {
  press(target: Locator): Promise<void>;
  /** Puts a text in place of what stands in a field. */
  type(field: Locator, text: string): Promise<void>;
}

export function pointer(): Hands {
  return {
    press: (target) => target.click(),
    type: (field, text) => field.fill(text),
  };
}

/** More stops than any page has. */
const STOPS = 400;

/** Tab, Shift+Tab, Enter and letters; what Tab does not reach cannot be used. */
export function keyboard(page: Page): Hands {
  async function reach(target: Locator) {
    await target.waitFor();
    for (let stops = 0; stops < STOPS; stops += 1) {
      const place = await target.evaluate((element) => {
        const { activeElement } = document;
        if (activeElement === element) return 'here';
        const after = Node.DOCUMENT_POSITION_PRECEDING;
        const isBehind =
          activeElement && activeElement !== document.body
            ? (activeElement.compareDocumentPosition(element) & after) !== 0
            : false;
        return isBehind ? 'behind' : 'ahead';
      });
      if (place === 'here') return;
      await page.keyboard.press(place === 'behind' ? 'Shift+Tab' : 'Tab');
    }
    throw new Error(`Tab does not reach ${target}`);
  }
  return {
    async press(target) {
      await reach(target);
      await page.keyboard.press('Enter');
    },
    async type(field, text) {
      await reach(field);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type(text);
    },
  };
}
