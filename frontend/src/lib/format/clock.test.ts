import { expect, test } from 'vitest';
import { clockTime, formatClock } from './clock.ts';

test.each([
  ['00:00', '12:00\u00a0صباحًا'],
  ['9:30', '9:30\u00a0صباحًا'],
  ['11:59', '11:59\u00a0صباحًا'],
  ['12:00', '12:00\u00a0ظهرًا'],
  ['14:59', '2:59\u00a0ظهرًا'],
  ['15:20', '3:20\u00a0عصرًا'],
  ['16:59', '4:59\u00a0عصرًا'],
  ['17:00', '5:00\u00a0مساءً'],
  ['23:05', '11:05\u00a0مساءً'],
])('%s names its part of the day in Arabic', (time, arabic) => {
  expect(formatClock('ar-sa', time)).toBe(arabic);
  expect(formatClock('en-us', time)).toBe(time);
});

test('tables and diagrams have the short form', () => {
  const hours = ['00:00', '11:59', '12:00'].map((time) => formatClock('ar-sa', time, 'short'));
  expect(hours).toEqual(['12:00\u00a0ص', '11:59\u00a0ص', '12:00\u00a0م']);
  expect(formatClock('en-us', '11:59', 'short')).toBe('11:59');
});

test.each([
  [0, '0:00'],
  [65.9, '1:05'],
  [600, '10:00'],
  [3725, '1:02:05'],
  [-3, '0:00'],
])('%d seconds are written %s', (seconds, text) => {
  expect(clockTime(seconds)).toBe(text);
});
