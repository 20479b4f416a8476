import { Window } from 'happy-dom';
import { beforeAll, expect, test } from 'vitest';
import { loadAllPages, renderPage } from '~/app/server';
import type { EducationPageJson } from '~/gen/sahm/page/v1/education_pb';
import type { NewsListPageJson } from '~/gen/sahm/page/v1/page_pb';
import { LOCALE_IDS } from '~/lib/locale';
import type { PagePayload } from '~/lib/page/payload';
import { readFixture } from '../../scripts/fixtures/store';

const WORDS = { 'en-us': /Sample/g, 'ar-sa': /محتوى تجريبي/g };
const LISTS = [
  'home',
  'news',
  'company-news-list',
  'education',
  'education-course',
  'news-content',
];

beforeAll(async () => {
  await loadAllPages();
});

async function textOf(payload: PagePayload): Promise<string> {
  const { document } = new Window();
  document.body.innerHTML = await renderPage(payload);
  return document.querySelector('main')?.textContent ?? '';
}

const PAGES = LISTS.flatMap((page) => LOCALE_IDS.map((locale) => ({ page, locale })));

test.each(PAGES)('$page in $locale says once that its content is a sample', async (each) => {
  const { page, locale } = each;
  const text = await textOf(readFixture(`${page}.${locale}`));
  expect(text.match(WORDS[locale])).toHaveLength(1);
});

test('if only some content is a sample, each sample is marked', async () => {
  const payload = readFixture('news.en-us');
  const {
    articles = [],
    flash = [],
    videos = [],
    banners = [],
  } = payload.document as NewsListPageJson;
  const [first] = articles;
  if (first) first.sample = false;
  const samples = [...articles, ...flash, ...videos].filter(({ sample }) => sample);
  const marked = (await textOf(payload)).match(WORDS['en-us'])?.length ?? 0;
  expect(marked).toBeGreaterThanOrEqual(samples.length);
  expect(marked).toBeLessThanOrEqual(samples.length + banners.length);
});

test('courses show their number of lessons and minutes', async () => {
  const payload = readFixture('education.en-us');
  const { lessons = [] } = payload.document as EducationPageJson;
  const text = await textOf(payload);
  expect(lessons.length).toBeGreaterThan(10);
  for (const { articleIds = [], readingMinutes } of lessons) {
    expect(text).toContain(`${articleIds.length} lessons${readingMinutes} min`);
  }
});
