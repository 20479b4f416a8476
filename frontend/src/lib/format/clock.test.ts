import { expect, test } from 'vitest';
import { formatClock } from './clock.ts';

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
