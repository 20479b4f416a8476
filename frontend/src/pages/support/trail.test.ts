import { expect, test } from 'vitest';
import { trailTo } from './trail';

const tree = [
  { id: '1', children: [{ id: '11' }, { id: '12', children: [{ id: '121' }] }] },
  { id: '2' },
];

test.each([
  ['1', ['1']],
  ['2', ['2']],
  ['12', ['1', '12']],
  ['121', ['1', '12', '121']],
  ['3', []],
  ['', []],
])('the way to %s', (id, expected) => {
  expect(trailTo(tree, id).map((node) => node.id)).toEqual(expected);
});
