import { beforeAll, expect, test } from 'vitest';
import { loadAllPages, renderPage } from '~/app/server';
import { readFixture } from '../../scripts/fixtures/store';

beforeAll(async () => {
  await loadAllPages();
});

test.each([
  { page: 'pricing', platform: 'pc', bands: 1 },
  { page: 'invest-us-options', platform: 'mobile', bands: 1 },
  { page: 'news-content', platform: 'pc', bands: 1 },
  { page: 'education-article', platform: 'pc', bands: 1 },
  { page: 'education-article', platform: 'app', bands: 0 },
  { page: 'company-news-detail', platform: 'pc', bands: 0 },
] as const)('$page on $platform invites to open an account $bands times', async (row) => {
  const { page, platform, bands } = row;
  const payload = readFixture(`${page}.en-us`);
  const html = await renderPage({ ...payload, visitor: { ...payload.visitor, platform } });
  expect(html.match(/aria-labelledby="closing"/g) ?? []).toHaveLength(bands);
});
