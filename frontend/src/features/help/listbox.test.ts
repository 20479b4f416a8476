import { expect, test } from 'vitest';
import { onKey } from './listbox';

const closed = { open: false, active: -1 };
const at = (active: number) => ({ open: true, active });

test.each([
  // key, state, options, next state, handled, chosen
  ['ArrowDown', closed, 3, at(0), true, undefined],
  ['ArrowUp', closed, 3, at(2), true, undefined],
  ['ArrowDown', at(-1), 3, at(0), true, undefined],
  ['ArrowDown', at(2), 3, at(-1), true, undefined],
  ['ArrowUp', at(0), 3, at(-1), true, undefined],
  ['ArrowUp', at(-1), 3, at(2), true, undefined],
  ['Enter', at(1), 3, closed, true, 1],
  ['Enter', at(-1), 3, closed, false, undefined],
  ['Enter', closed, 3, closed, false, undefined],
  ['Escape', at(1), 3, closed, true, undefined],
  ['Escape', closed, 3, closed, false, undefined],
  ['Tab', at(1), 3, closed, false, undefined],
  ['Home', at(1), 3, at(1), false, undefined],
  ['a', at(1), 3, at(1), false, undefined],
  ['ArrowDown', closed, 0, closed, false, undefined],
] as const)('%s on %j of %i', (key, state, count, expected, handled, chosen) => {
  const effect = onKey(key, state, count);
  expect({ open: effect.open, active: effect.active }).toEqual(expected);
  expect(effect.handled).toBe(handled);
  expect(effect.chosen).toBe(chosen);
});
