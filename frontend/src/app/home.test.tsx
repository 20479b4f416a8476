import { Window } from 'happy-dom';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadAllPages, renderPage } from '~/app/server';
import type { HomePageJson } from '~/gen/sahm/page/v1/page_pb';
import { LOCALE_IDS } from '~/lib/locale';
import { readFixture } from '../../scripts/fixtures/store';

beforeAll(async () => {
  await loadAllPages();
});

async function homeOf(file: string, change: HomePageJson = {}) {
  const { document } = new Window();
  const payload = readFixture(file);
  payload.document = { ...payload.document, ...change };
  document.body.innerHTML = await renderPage(payload);
  const count = (selector: string) => document.querySelectorAll(selector).length;
  return { document, count, home: payload.document as HomePageJson };
}

const CHARTS = 'main svg[data-day]';
const SIMULATED = { 'en-us': 'Simulated', 'ar-sa': 'افتراضية' };

describe.each(LOCALE_IDS)('home in %s', (locale) => {
  test('shows a portfolio, four watched securities and both markets', async () => {
    const { count, home } = await homeOf(`home.${locale}`);
    expect(count('[aria-labelledby="home-markets"] section')).toBe(2);
    // One portfolio, four rows and four indices.
    expect(count(CHARTS)).toBe(9);
    expect(count('main li:has([data-live])')).toBe(4);
    expect(home.indices?.length).toBe(4);
  });

  test.each(['markets', 'events'])('says once that its %s are simulated', async (section) => {
    const { document } = await homeOf(`home.${locale}`);
    const text = document.querySelector(`[aria-labelledby="home-${section}"]`)?.textContent;
    expect(text?.split(SIMULATED[locale])).toHaveLength(2);
  });

  test('draws the same charts in the other language', async () => {
    const paths = async (file: string) =>
      [...(await homeOf(file)).document.querySelectorAll(`${CHARTS} path`)].map((path) =>
        path.getAttribute('d'),
      );
    expect(await paths(`home.${locale}`)).toEqual(await paths('home.en-us'));
  });

  test('hides what the market-data provider does not offer', async () => {
    const { count, document } = await homeOf(`home.no-series.${locale}`);
    expect(count(CHARTS)).toBe(0);
    expect(count('[aria-labelledby="home-markets"] section')).toBe(2);
    expect(document.querySelector('[data-session]')).not.toBeNull();
  });

  test('has no markets without prices', async () => {
    const { count } = await homeOf(`home.bare.${locale}`);
    expect(count('[aria-labelledby="home-markets"]')).toBe(0);
    expect(count(CHARTS)).toBe(0);
  });

  test('names the commission of each product from the fee schedule', async () => {
    const { document } = await homeOf(`home.${locale}`);
    const fees = [...document.querySelectorAll('[aria-labelledby="products"] article')].map(
      (card) => card.querySelector('p:last-child')?.textContent,
    );
    const shares = expect.stringContaining('$0.015');
    const amount = expect.stringContaining('0.105%');
    const order = locale === 'ar-sa' ? 'تظهر الرسوم مع كل أمر' : 'Fees shown with each order';
    const saudi = [amount, order, amount, amount];
    expect(fees).toEqual([...saudi, shares, order, shares, shares, shares]);
  });

  test('lists results and dividends by date, with the dividend per share', async () => {
    const { document, home } = await homeOf(`home.${locale}`);
    const section = document.querySelector('[aria-labelledby="home-events"]');
    const dates = [...(section?.querySelectorAll('h3 time') ?? [])];
    const all = home.corporateEvents ?? [];
    expect(all.length).toBe(8);
    const events = all.slice(0, 6);
    expect(dates.map((date) => date.getAttribute('datetime'))).toEqual([
      ...new Set(events.map(({ date }) => date)),
    ]);
    const rows = [...(section?.querySelectorAll('ol ul > li') ?? [])];
    expect(rows).toHaveLength(events.length);
    for (const [index, { name = '', amountPerShare = '', currency }] of events.entries()) {
      const text = rows[index]?.textContent ?? '';
      expect(text).toContain(name);
      expect(text).toContain(amountPerShare);
      expect(text.includes('$')).toBe(amountPerShare !== '' && currency === 'USD');
    }
  });

  test('has no results and dividends if the provider offers none', async () => {
    const { count } = await homeOf(`home.${locale}`, { corporateEvents: [] });
    expect(count('[aria-labelledby="home-events"]')).toBe(0);
  });

  test('gives each price its time', async () => {
    const { count } = await homeOf(`home.${locale}`);
    const markets = '[aria-labelledby="home-markets"] li';
    expect(count(markets)).toBeGreaterThan(0);
    expect(count(`${markets} time[datetime]`)).toBe(count(markets));
  });
});
