import { describe, expect, test } from 'vitest';
import { absoluteTime, priceTime, relativeTime } from './time';

const at = (iso: string) => Date.parse(iso) / 1000;
// 15:00 in Riyadh.
const NOW = at('2026-11-21T12:00:00Z');

describe('relativeTime', () => {
  test.each([
    ['in the future', NOW + 30, { kind: 'minutes', count: 1 }],
    ['now', NOW, { kind: 'minutes', count: 1 }],
    ['59 s ago', NOW - 59, { kind: 'minutes', count: 1 }],
    ['1 min ago', NOW - 60, { kind: 'minutes', count: 1 }],
    ['59 min ago', NOW - 3_599, { kind: 'minutes', count: 59 }],
    ['1 h ago', NOW - 3_600, { kind: 'hour' }],
    ['just under 2 h ago', NOW - 7_199, { kind: 'hour' }],
    ['2 h ago', NOW - 7_200, { kind: 'today', time: '13:00' }],
    ['just under 24 h ago', NOW - 86_399, { kind: 'today', time: '15:00' }],
    ['24 h ago', NOW - 86_400, { kind: 'date', text: '20/11 15:00' }],
    ['early this year', at('2026-01-01T00:00:00Z'), { kind: 'date', text: '01/01 03:00' }],
    // Already the new year in Riyadh.
    ['at the year’s edge', at('2025-12-31T21:00:00Z'), { kind: 'date', text: '01/01 00:00' }],
    ['last year', at('2025-12-31T20:59:00Z'), { kind: 'date', text: '31/12/2025 23:59' }],
  ])('%s', (_, then, expected) => {
    expect(relativeTime(NOW, then)).toEqual(expected);
  });
});

describe('priceTime', () => {
  test.each([
    ['a minute ago', NOW - 60, 'Sat 14:59', 'السبت 14:59'],
    // Less than a day ago, but on the previous day.
    ['yesterday', at('2026-11-20T20:59:00Z'), 'Fri 23:59', 'الجمعة 23:59'],
    ['nearly six days ago', NOW - 6 * 86_400 + 60, 'Sun 15:01', 'الأحد 15:01'],
    ['six days ago', NOW - 6 * 86_400, '15/11 15:00', '15/11 15:00'],
    ['in the morning', at('2026-11-21T07:05:00Z'), 'Sat 10:05', 'السبت 10:05'],
    ['last year', at('2025-12-31T20:59:00Z'), '31/12/2025 23:59', '31/12/2025 23:59'],
  ])('%s names the day', (_, then, english, arabic) => {
    expect(priceTime('en-us', NOW, then)).toBe(english);
    expect(priceTime('ar-sa', NOW, then)).toBe(arabic);
  });
});

test('the absolute time is MM/DD/YYYY HH:mm in Riyadh', () => {
  expect(absoluteTime(at('2026-11-21T21:05:00Z'))).toBe('11/22/2026 00:05');
});
