import { describe, expect, test } from 'vitest';
import type { QuoteJson } from '~/gen/sahm/quotes/v1/quotes_pb';
import { portfolioOf, watchListOf } from './portfolio';

const HELD = ['2222', '1120', '2010', '7010'];
const quotes: QuoteJson[] = HELD.map((securityCode, i) => ({
  securityCode,
  lastPrice: '11.00',
  previousClose: '10.00',
  mktTmType: 4,
  time: 100 + i,
}));
const series = HELD.map((code) => ({
  code,
  opensAt: 0,
  closesAt: 100,
  interval: 50,
  prices: ['10.00', '10.50', '11.00'],
  lastAt: 100,
  previousClose: '10.00',
}));

describe('the portfolio', () => {
  test('is the sum of its holdings, as is its day', () => {
    expect(portfolioOf(quotes, series)).toEqual({
      quote: {
        currency: 'SAR',
        lastPrice: '12430.00',
        highAndLow: '1130.00',
        highAndLowLimited: '0.100000',
        mktTmType: 4,
        time: 103,
      },
      series: {
        ...series[1],
        prices: ['11300.00', '11865.00', '12430.00'],
        previousClose: '11300.00',
      },
    });
  });

  test.each([
    ['one holding has none', series.slice(1)],
    ['one is shorter', [{ ...series[0], prices: ['10.00'] }, ...series.slice(1)]],
    ['there are none', []],
  ])('has no day where %s', (_, days) => {
    expect(portfolioOf(quotes, days)?.series).toBeUndefined();
    expect(portfolioOf(quotes, days)?.quote.lastPrice).toBe('12430.00');
  });

  test.each([
    ['a holding is missing', quotes.slice(1)],
    ['a holding has no price', [{ ...quotes[0], lastPrice: '' }, ...quotes.slice(1)]],
    ['a previous close is missing', [{ ...quotes[0], previousClose: '' }, ...quotes.slice(1)]],
  ])('is none where %s', (_, known) => {
    expect(portfolioOf(known, series)).toBeUndefined();
  });
});

describe('the watch list', () => {
  const quote = (securityCode: string, market: string, highAndLowLimited: string) => ({
    securityCode,
    market,
    highAndLowLimited,
    lastPrice: '1.00',
  });
  test.each([
    ['takes each direction from each market', ['a+', 'b+', 'c-'], ['d-', 'e-', 'f+'], 'a c d f'],
    ['passes over what did not move', ['a+', 'b0', 'c-'], ['d0', 'e0', 'f+'], 'a c d f'],
    ['takes the first two where all went one way', ['a+', 'b+', 'c+'], ['d-', 'e-'], 'a b d e'],
    ['takes what there is', ['a0'], [], 'a'],
    ['keeps the order', ['a-', 'b+'], ['d+', 'e-'], 'a b d e'],
  ])('%s', (_, saudi, us, codes) => {
    const row = (market: string) => (text: string) =>
      quote(text[0] ?? '', market, { '+': '0.01', '-': '-0.01', 0: '0.00' }[text[1] ?? ''] ?? '');
    const all = [...saudi.map(row('saudi')), ...us.map(row('us'))];
    const list = watchListOf(all);
    expect(list.map(({ securityCode }) => securityCode).join(' ')).toBe(codes);
  });
});
