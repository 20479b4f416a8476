import { expect, test } from 'vitest';
import { clockTime, formatClock } from './clock.ts';

test.each([
  ['00:00', '12:00 صباحًا'],
  ['9:30', '9:30 صباحًا'],
  ['11:59', '11:59 صباحًا'],
  ['12:00', '12:00 مساءً'],
  ['17:00', '5:00 مساءً'],
  ['23:05', '11:05 مساءً'],
])('%s names its half of the day in Arabic', (time, arabic) => {
  expect(formatClock('ar-sa', time)).toBe(arabic);
  expect(formatClock('en-us', time)).toBe(time);
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
