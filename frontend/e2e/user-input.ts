import type { Locator, Page } from '@playwright/test';

/** A visitor's input: by pointer or by keyboard only. */
export interface UserInput {
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  type(field: Locator, text: string): Promise<void>;
}

export function pointerInput(): UserInput {
  return {
    press: (target) => target.click(),
    type: (field, text) => field.fill(text),
  };
}

/** Exceeds the number of focusable elements on any page. */
const MAX_TAB_STOPS = 400;

/** Uses Tab, Shift+Tab, Enter and letters; fails for elements that Tab does not reach. */
export function keyboardInput(page: Page): UserInput {
  async function reach(target: Locator) {
    await target.waitFor();
    for (let stops = 0; stops < MAX_TAB_STOPS; stops += 1) {
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
