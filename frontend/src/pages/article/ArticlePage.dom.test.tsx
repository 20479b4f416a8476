import { act } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderInPage } from '~/lib/page/render-in-page';
import { ArticlePage } from './ArticlePage';

/** An article in Arabic, shown on the English page. */
const document = {
  article: { id: '1', locale: 'ar-sa', title: 'عنوان', sign: 'signed' },
  otherLanguage: true,
};

beforeEach(() => vi.stubGlobal('fetch', () => new Promise(() => {})));

test.each([
  { machineTranslation: true, buttons: ['Translate'] },
  { machineTranslation: false, buttons: [] },
])(
  'with machine translation $machineTranslation it offers $buttons',
  async ({ machineTranslation, buttons }) => {
    const page = await renderInPage(
      <ArticlePage document={{ ...document, machineTranslation }} />,
      ['article', 'reading', 'open-account'],
    );
    await act(() => vi.dynamicImportSettled());
    const offered = [...page.container.querySelectorAll('button')]
      .map(({ textContent }) => textContent ?? '')
      .filter((text) => text.startsWith('Translate'));
    expect(offered).toEqual(buttons);
  },
);
