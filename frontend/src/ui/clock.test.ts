import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clockSeconds, subscribeClock } from './clock';

let start = 1_767_225_642;

let stops: (() => void)[];

function watch(...edges: number[]) {
  const seen: number[] = [];
  stops.push(subscribeClock(() => seen.push(clockSeconds() - start), edges));
  return seen;
}

beforeEach(() => {
  // A day later for each test, so that the previous test's clock is outdated.
  start += 86_400;
  vi.useFakeTimers({ now: start * 1_000 + 900 });
  stops = [];
});

afterEach(() => {
  for (const stop of stops) stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test('the first reading is exact to the second and stays until the next renewal', () => {
  expect(clockSeconds()).toBe(start);
  vi.advanceTimersByTime(59_000);
  expect(clockSeconds()).toBe(start);
  vi.advanceTimersByTime(2_000);
  expect(clockSeconds()).toBe(start + 61);
});

test('the time is renewed for later subscribers, and every minute for all', () => {
  const seen = watch();
  vi.advanceTimersByTime(31_000);
  expect(clockSeconds()).toBe(start);
  const later = watch();
  expect(clockSeconds()).toBe(start + 31);
  vi.advanceTimersByTime(89_000);
  expect(seen).toEqual([60, 120]);
  expect(later).toEqual([91]);
});

test.each([1, 30, 60, 61, 150])('a boundary in %d s notifies when it has passed', (edge) => {
  const seen = watch(start + edge);
  vi.advanceTimersByTime((edge + 1) * 1_000);
  expect(seen.at(-1)).toBe(edge + 1);
  // And again after a minute.
  const before = seen.length;
  vi.advanceTimersByTime(120_000);
  expect(seen.length - before).toBe(2);
});

test('boundaries in the past or far in the future start no timer', () => {
  const seen = watch(0, start - 1, start + 10_000_000);
  vi.advanceTimersByTime(59_000);
  expect(seen).toEqual([]);
});
