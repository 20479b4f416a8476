import { expect, test } from 'vitest';
import { mayReload } from './chunks';

function storage() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

test('a reload at most once a minute (specification §9)', () => {
  const session = storage();
  const begun = 1_764_000_000_000;
  expect(mayReload(begun, session)).toBe(true);
  expect(mayReload(begun + 1, session)).toBe(false);
  expect(mayReload(begun + 59_999, session)).toBe(false);
  expect(mayReload(begun + 60_000, session)).toBe(true);
});

test('none where nothing can be remembered', () => {
  const blocked = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  };
  expect(mayReload(0, blocked)).toBe(false);
});
