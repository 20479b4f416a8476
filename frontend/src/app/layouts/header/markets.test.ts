import { expect, test } from 'vitest';
import { groupByMarket } from './HeaderNav';

test.each([
  {
    name: 'both markets',
    keys: ['us-stocks', 'saudi-stocks', 'us-otc'],
    groups: [
      ['saudi', 'saudi-stocks'],
      ['us', 'us-stocks', 'us-otc'],
    ],
  },
  {
    name: 'items of no market come last',
    keys: ['usual', 'us-etfs'],
    groups: [
      ['us', 'us-etfs'],
      [undefined, 'usual'],
    ],
  },
  { name: 'no items', keys: [], groups: [] },
])('groupByMarket: $name', ({ keys, groups }) => {
  expect(
    groupByMarket(keys.map((key) => ({ key }))).map(({ market, items }) => [
      market,
      ...items.map(({ key }) => key),
    ]),
  ).toEqual(groups);
});
