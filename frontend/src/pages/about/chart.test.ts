import { expect, test } from 'vitest';
import { type Branch, CHART, TEAM } from './chart';

function units(branch: Branch): string[] {
  return [branch.unit, ...(branch.below ?? []).flatMap(units)];
}

test('every function stands in the chart once', () => {
  const all = units(CHART);
  expect(new Set(all).size).toBe(all.length);
});

test('the team is part of the chart', () => {
  expect(units(CHART)).toEqual(expect.arrayContaining([...TEAM]));
});

test('no control answers to the chief executive', () => {
  const executive = CHART.below?.find(({ unit }) => unit === 'chief-executive');
  expect(executive?.below?.some(({ control }) => control)).toBe(false);
});
