import { Window } from 'happy-dom';
import { beforeAll, expect, test } from 'vitest';
import { loadAllPages, renderPage } from '~/app/server';
import { LOCALE_IDS } from '~/lib/locale';
import { DRAWN_PAGES, missingSocialImages, socialImageOf } from '../../scripts/build/social-images';
import { readFixture } from '../../scripts/fixtures/store';
import { Catalogues } from '../../scripts/messages/catalogues';
import texts from '../../scripts/social-images.json' with { type: 'json' };

beforeAll(async () => {
  await loadAllPages();
});

const IMAGES = DRAWN_PAGES.flatMap((page) => LOCALE_IDS.map((locale) => ({ page, locale })));

test.each(IMAGES)('the social image of $page in $locale says what the page says', async (image) => {
  const { page, locale } = image;
  const { document } = new Window();
  document.body.innerHTML = await renderPage(readFixture(`${page}.${locale}`));
  const head = new Catalogues('messages').texts(locale, 'head');
  const drawn = (texts as Record<string, unknown>)[socialImageOf(page, locale)];
  expect(drawn, 'npm run social-images draws it again').toEqual({
    title: document.querySelector('h1')?.textContent?.trim(),
    text: head[`${page}.description`],
  });
});

test.each([
  ['home', 'og-home.en-us.png'],
  ['invest-us-options', 'og-invest-us-options.en-us.png'],
  ['news-content', 'og-news.en-us.png'],
  ['education-article', 'og-education.en-us.png'],
  ['company-news-detail', 'og-company-news-list.en-us.png'],
  ['app-deep-link-landing', 'og-download.en-us.png'],
  ['login', 'og-home.en-us.png'],
])('links to %s show %s', (page, file) => {
  expect(socialImageOf(page, 'en-us')).toBe(file);
});

test('a page without its image is named', () => {
  expect(missingSocialImages('fixtures', ['support'], ['en-us', 'ar-sa'])).toEqual([
    'public/og-support.en-us.png is missing: npm run social-images draws it',
    'public/og-support.ar-sa.png is missing: npm run social-images draws it',
  ]);
  expect(missingSocialImages('public', [...DRAWN_PAGES], LOCALE_IDS)).toEqual([]);
});
