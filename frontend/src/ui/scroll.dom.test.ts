import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onScroll } from './scroll';

let start: number;
let stop: (() => void) | undefined;

/** The times of callbacks, in milliseconds since the start of the test. */
function watch(lag?: number): number[] {
  const told: number[] = [];
  stop = onScroll(() => told.push(Date.now() - start), lag);
  return told;
}

/** Dispatches an event every `step` milliseconds until `end`. */
function happens(type: string, step: number, end: number) {
  for (let at = 0; at <= end; at += step) {
    window.dispatchEvent(new Event(type));
    if (at < end) vi.advanceTimersByTime(step);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  start = Date.now();
});

afterEach(() => {
  stop?.();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test.each([
  ['scroll', undefined, [0, 200, 400, 600]],
  ['scroll', 100, [0, 100, 200, 300, 400, 500, 600]],
  ['resize', undefined, [0, 500, 1_000]],
  ['resize', 100, [0, 500, 1_000]],
])('%s with lag %s is told at once, while it goes on, and after its end', (type, lag, times) => {
  const told = watch(lag);
  happens(type, 10, 550);
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual(times);
});

test('a single scroll event notifies once, and none after the subscription ends', () => {
  const told = watch();
  window.dispatchEvent(new Event('scroll'));
  vi.advanceTimersByTime(5_000);
  expect(told).toEqual([0]);
  stop?.();
  window.dispatchEvent(new Event('scroll'));
  expect(told).toEqual([0]);
});
