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

test.each([
  { headings: ['One', 'Two'], links: ['#part-1 One', '#part-2 Two'] },
  { headings: ['One'], links: [] },
])('an article with the headings $headings lists $links', async ({ headings, links }) => {
  const bodyHtml = headings.map((heading) => `<h2>${heading}</h2><p>Text</p>`).join('');
  const article = { id: '1', locale: 'en-us', title: 'Title', bodyHtml };
  const { container, unmount } = await renderInPage(<ArticlePage document={{ article }} />, [
    'article',
    'reading',
    'open-account',
  ]);
  const listed = [...container.querySelectorAll('article nav a')];
  expect(listed.map((link) => `${link.getAttribute('href')} ${link.textContent}`)).toEqual(links);
  expect(listed.every((link) => container.querySelector(link.getAttribute('href') ?? ''))).toBe(
    true,
  );
  unmount();
});

test('weekdays stay on a line with their dates', async () => {
  const bodyHtml = '<p>On Friday 27 November and الجمعة 27 نوفمبر</p>';
  const article = { id: '1', locale: 'en-us', title: 'Title', bodyHtml };
  const { container, unmount } = await renderInPage(<ArticlePage document={{ article }} />, [
    'article',
    'reading',
    'open-account',
  ]);
  const text = container.querySelector('article > div p')?.textContent;
  expect(text).toBe('On Friday\u00a027\u00a0November and الجمعة\u00a027\u00a0نوفمبر');
  unmount();
});
