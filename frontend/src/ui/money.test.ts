import { describe, expect, test } from 'vitest';
import { moneyParts } from './money';

describe('moneyParts', () => {
  test.each([
    { value: 0, decimals: {}, parts: ['', '0', '.00'] },
    { value: 13.125, decimals: {}, parts: ['', '13', '.13'] },
    { value: '10013.13', decimals: {}, parts: ['', '10,013', '.13'] },
    { value: -2, decimals: {}, parts: ['−', '2', '.00'] },
    { value: '-1234.5', decimals: { minDecimals: 0 }, parts: ['−', '1,234', '.5'] },
    {
      value: '93750000',
      decimals: { minDecimals: 0, maxDecimals: 0 },
      parts: ['', '93,750,000', ''],
    },
    { value: '0.000166', decimals: { maxDecimals: 6 }, parts: ['', '0', '.000166'] },
    {
      value: '182.1500',
      decimals: { minDecimals: 4, maxDecimals: 4 },
      parts: ['', '182', '.1500'],
    },
  ])('splits $value', ({ value, decimals, parts }) => {
    for (const locale of ['en-us', 'ar-sa'] as const) {
      const { sign, whole, fraction } = moneyParts(locale, value, decimals);
      expect([sign, whole, fraction]).toEqual(parts);
    }
  });

  test.each([
    { value: '50', decimals: { minDecimals: 0 }, count: 50 },
    { value: -18_888, decimals: { minDecimals: 0 }, count: 18_888 },
    { value: 13, decimals: {}, count: 0.5 },
  ])('the noun of $value agrees with $count', ({ value, decimals, count }) => {
    expect(moneyParts('ar-sa', value, decimals).count).toBe(count);
  });
});
