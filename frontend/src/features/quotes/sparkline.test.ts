import { expect, test } from 'vitest';
import { sparkline } from './day-series';

test.each([
  [[1, 2], 'M0 26L80 2'],
  [[2, 1, 2], 'M0 2L40 26L80 2'],
  [[5, 5], 'M0 14L80 14'],
  [[25.4], 'M0 14'],
])('%j is %s', (prices, path) => {
  expect(sparkline(prices, 80, 28)).toBe(path);
});
