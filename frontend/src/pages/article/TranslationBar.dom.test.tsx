import { expect, test, vi } from 'vitest';
import { renderInPage } from '~/lib/page/render-in-page';
import { TranslationBar } from './TranslationBar';

test('after “Got it” the focus is on the button of the translation', async () => {
  const translation = {
    loading: false,
    machine: true,
    text: '',
    article: { id: '1' },
    translate: async () => {},
    showOriginal: () => {},
  };
  const page = await renderInPage(<TranslationBar translation={translation} />, ['article']);
  const agree = page.getByRole('button', { name: /Got it/ });
  agree.focus();
  agree.click();
  await vi.waitFor(() => expect(page.container.textContent).not.toContain('Got it'));
  expect(document.activeElement).toBe(page.container.querySelector('button'));
});
