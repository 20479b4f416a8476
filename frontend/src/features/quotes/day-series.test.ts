import { expect, test } from 'vitest';
import { dayShape } from './day-series';

const DAY = { opensAt: 1000, closesAt: 1400, interval: 100, previousClose: '10' };

test.each([
  [
    'a whole day',
    { ...DAY, prices: ['10', '12', '11', '12', '14'], lastAt: 1400 },
    {
      line: 'M0 28L20 15L40 21.5L60 15L80 2',
      area: 'M0 28L20 15L40 21.5L60 15L80 2V30H0z',
      end: 'M80 2h0',
      baseline: 28,
    },
  ],
  [
    'half a day ends in the middle, at its last price',
    { ...DAY, prices: ['10', '12', '14'], lastAt: 1150 },
    { line: 'M0 28L20 15L30 2', area: 'M0 28L20 15L30 2V30H0z', end: 'M30 2h0', baseline: 28 },
  ],
  [
    'the previous close is inside the box',
    { ...DAY, previousClose: '8', prices: ['10', '12'], lastAt: 1100 },
    { line: 'M0 15L20 2', area: 'M0 15L20 2V30H0z', end: 'M20 2h0', baseline: 28 },
  ],
  [
    'equal prices lie in the middle',
    { ...DAY, prices: ['10', '10'], lastAt: 1100 },
    { line: 'M0 15L20 15', area: 'M0 15L20 15V30H0z', end: 'M20 15h0', baseline: 15 },
  ],
  ['one price', { ...DAY, prices: ['10'], lastAt: 1000 }, undefined],
  ['a day without hours', { prices: ['10', '11'] }, undefined],
  ['no series', undefined, undefined],
])('%s', (_, series, shape) => {
  expect(dayShape(series, 80, 30)).toEqual(shape);
});

test.each([
  ['less than the smallest range', ['10', '10.05'], 'M0 15L20 8.5'],
  ['more than the smallest range', ['10', '10.3'], 'M0 21.5L20 2'],
])('a day that moves %s', (_, prices, line) => {
  expect(dayShape({ ...DAY, prices, lastAt: 1100 }, 80, 30, 0.01)?.line).toBe(line);
});
