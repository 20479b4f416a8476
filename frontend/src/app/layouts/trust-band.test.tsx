import { beforeAll, describe, expect, test } from 'vitest';
import { loadAllPages, renderPage } from '~/app/server';
import type { PagePayload } from '~/lib/page/payload';
import { readFixture } from '../../../scripts/fixtures/store';

beforeAll(async () => {
  await loadAllPages();
});

async function trustBand(payload: PagePayload, label: string) {
  const html = await renderPage(payload);
  const start = html.indexOf(`aria-label="${label}"`);
  expect(start).toBeGreaterThan(html.indexOf('data-chrome="footer"'));
  return html.slice(start, html.indexOf('</section>', start));
}

describe('the trust band of the footer', () => {
  test.each([
    {
      locale: 'en-us',
      label: 'Who you are dealing with',
      facts: [
        'Legal name',
        'Capital Market Authority',
        '22251-25',
        '1010000000',
        'head office are samples.',
      ],
    },
    {
      locale: 'ar-sa',
      label: 'من نحن نظاميًا',
      facts: ['الاسم النظامي', 'هيئة السوق المالية', '22251-25', '1010000000', 'بيانات تجريبية.'],
    },
  ])('lists the facts of the configuration in $locale, the licence with a link', async (row) => {
    const band = await trustBand(readFixture(`about.${row.locale}`), row.label);
    for (const fact of row.facts) expect(band).toContain(fact);
    expect(band).toMatch(/<a [^>]*href="https:\/\/cma\.gov\.sa\/"[^>]*><bdi>22251-25/);
    expect(band).toContain(`/${row.locale}/support/detail/how-to-contact-support`);
  });

  test('shows custody and complaints if no company facts are configured', async () => {
    const payload = readFixture('about.en-us');
    const { items = [] } = payload.document.frame?.layoutData?.footer?.[1] ?? {};
    for (const item of items) delete item.children;
    const band = await trustBand(payload, 'Who you are dealing with');
    expect(band).not.toContain('Legal name');
    expect(band).toContain('within 20\u00a0business days');
    expect(band).toContain('kept separate');
  });
});
