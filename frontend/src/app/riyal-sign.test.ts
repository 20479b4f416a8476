import { beforeAll, expect, test } from 'vitest';
import { loadAllPages, renderPage } from '~/app/server';
import { readFixture } from '../../scripts/fixtures/store';

beforeAll(async () => {
  await loadAllPages();
});

test.each([
  { locale: 'en-us', word: /<\/svg><span class="visually-hidden">SAR\s<\/span><span>13\.13</ },
  { locale: 'ar-sa', word: /<\/svg><span>13\.13<\/span><span class="visually-hidden">\sريال</ },
])('the riyal sign stands before the figure and is read as a word in $locale', async (row) => {
  const html = await renderPage(readFixture(`pricing.${row.locale}`));
  expect(html.replaceAll('<!-- -->', '')).toMatch(row.word);
});

test.each(['en-us', 'ar-sa'])('the dollar stands before the figure in %s', async (locale) => {
  const html = await renderPage(readFixture(`invest-us-stocks.${locale}`));
  expect(html.replaceAll('<!-- -->', '')).toMatch(/<bdi dir="ltr"[^>]*>\$\d/);
});

test('the dollar stands before the figure in Arabic text too', async () => {
  const html = await renderPage(readFixture('pricing.ar-sa'));
  expect(html).toContain('\u2066$0.015\u2069');
});
