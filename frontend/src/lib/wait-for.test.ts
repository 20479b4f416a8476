import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from './wait-for';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

test.each([1, 2, 20])('what is found at attempt %d is given', async (attempt) => {
  let asked = 0;
  const found = waitFor(() => (++asked === attempt ? 'here' : undefined));
  await vi.advanceTimersByTimeAsync((attempt - 1) * 300);
  expect(await found).toBe('here');
  expect(asked).toBe(attempt);
});

test('after twenty attempts it is given up', async () => {
  let asked = 0;
  const given = waitFor(() => {
    asked += 1;
    return undefined;
  }).catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(19 * 300);
  expect(await given).toBe('timed out after 20 polls');
  expect(asked).toBe(20);
});
