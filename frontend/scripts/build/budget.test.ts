import { expect, test } from 'vitest';
import { BUDGET, exceeded } from './budget.ts';

const load = { page: 'home', locale: 'en-us', ...BUDGET };

test('a page within its budgets passes', () => {
  expect(exceeded(load)).toEqual([]);
});

test('each exceeded budget is listed', () => {
  expect(exceeded({ ...load, initialScripts: BUDGET.initialScripts + 1, fontFiles: 3 })).toEqual([
    'home (en-us): initialScripts 122001 of 122000',
    'home (en-us): fontFiles 3 of 2',
  ]);
});
