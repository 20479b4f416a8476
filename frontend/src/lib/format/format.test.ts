import { describe, expect, test } from 'vitest';
import { LOCALE_IDS } from '~/lib/locale';
import { formatCompact } from './compact';
import {
  formatDate,
  formatDateTime,
  formatFeeRate,
  formatList,
  formatNumber,
  formatPercent,
  formatYear,
  isoTime,
} from './format';

/** The text without direction marks, and with plain spaces. */
const plain = (text: string) => text.replace(/[\u200e\u200f\u061c]/g, '').replace(/\s/g, ' ');

describe('numbers', () => {
  test.each([
    ['en-us', 93_750_000, '93,750,000'],
    ['ar-sa', 93_750_000, '93,750,000'],
    ['en-us', '0.000166', '0.000166'],
  ] as const)('%s %s', (locale, value, expected) => {
    expect(plain(formatNumber(locale, value, { maximumFractionDigits: 6 }))).toBe(expected);
  });

  test('a decimal in a string keeps digits that a double would lose', () => {
    const value = '12345678901234567890.12';
    expect(formatNumber('en-us', value)).toBe('12,345,678,901,234,567,890.12');
  });

  test.each([
    ['en-us', '0.00105', '0.105%'],
    ['en-us', '0.15', '15%'],
    ['ar-sa', '0.00105', '0.105%'],
  ] as const)('%s %s is %s', (locale, rate, expected) => {
    expect(plain(formatPercent(locale, rate))).toBe(expected);
  });

  test.each([
    ['0.0003', '0.030%'],
    ['0.00105', '0.105%'],
    ['0.00001', '0.001%'],
  ])('a fee of %s of an amount is %s', (rate, expected) => {
    expect(plain(formatFeeRate('en-us', rate))).toBe(expected);
    expect(plain(formatFeeRate('ar-sa', rate))).toBe(expected);
  });
});

describe('a large count has three digits and a unit', () => {
  test.each([
    { count: '0', english: '0', arabic: '0' },
    { count: '999', english: '999', arabic: '999' },
    { count: '1000', english: '1.00K', arabic: '1.00 ألف' },
    { count: '12345', english: '12.3K', arabic: '12.3 ألف' },
    { count: '999999', english: '1.00M', arabic: '1.00 مليون' },
    { count: '1234567', english: '1.23M', arabic: '1.23 مليون' },
    { count: '123456789', english: '123M', arabic: '123 مليون' },
    { count: '1234567890', english: '1.23B', arabic: '1.23 مليار' },
    { count: '98765432109876', english: '98.8T', arabic: '98.8 ترليون' },
  ])('$count', ({ count, english, arabic }) => {
    expect(plain(formatCompact('en-us', count))).toBe(english);
    expect(plain(formatCompact('ar-sa', count))).toBe(arabic);
  });
});

describe('dates are Gregorian, with Western digits, in Riyadh', () => {
  const epoch = Date.parse('2026-11-21T22:00:00Z') / 1000;
  test('written out', () => {
    expect(formatDate('en-us', epoch)).toBe('22\u00a0November 2026');
    expect(plain(formatDate('ar-sa', epoch))).toBe('22 نوفمبر 2026');
  });
  test.each([
    ['2026-12-31T20:59:59Z', '2026'],
    ['2026-12-31T21:00:00Z', '2027'],
    ['2027-06-30T21:00:00Z', '2027'],
  ])('the year at %s', (time, year) => {
    const at = Date.parse(time) / 1000;
    expect(formatYear(at)).toBe(year);
    for (const locale of LOCALE_IDS) {
      expect(formatDateTime(locale, at, { year: 'numeric' })).toContain(year);
    }
  });
  test('for machines', () => {
    expect(isoTime(epoch)).toBe('2026-11-21T22:00:00Z');
  });
});

test.each([
  ['en-us', ['Kuwait'], 'Kuwait'],
  ['en-us', ['Kuwait', 'Qatar', 'Oman'], 'Kuwait, Qatar and Oman'],
  ['ar-sa', ['الكويت', 'قطر', 'عُمان'], 'الكويت وقطر وعُمان'],
] as const)('%s: a list of %j is %s', (locale, names, text) => {
  expect(formatList(locale, names)).toBe(text);
});
