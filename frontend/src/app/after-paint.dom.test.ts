import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { afterPaint } from './after-paint';

/** Notifies the paint observer. */
let paint: (name: string) => void;

class Observer {
  static supportedEntryTypes: readonly string[];

  constructor(told: (list: object, observer: Observer) => void) {
    paint = (painted) =>
      told({ getEntriesByName: (name: string) => (name === painted ? [{ name }] : []) }, this);
  }

  observe() {}
  disconnect() {}
}

beforeEach(() => {
  vi.useFakeTimers();
  Observer.supportedEntryTypes = ['paint'];
  vi.stubGlobal('PerformanceObserver', Observer);
});

afterEach(() => void vi.useRealTimers());

/** Returns a function that tells whether the promise has resolved. */
async function watched(): Promise<() => Promise<boolean>> {
  let done = false;
  afterPaint().then(() => {
    done = true;
  });
  return async () => {
    await vi.advanceTimersByTimeAsync(0);
    return done;
  };
}

test('waits for the first content', async () => {
  const done = await watched();
  expect(await done()).toBe(false);
  paint('first-paint');
  expect(await done()).toBe(false);
  paint('first-contentful-paint');
  expect(await done()).toBe(true);
});

test('waits at most a second if nothing is painted', async () => {
  const done = await watched();
  await vi.advanceTimersByTimeAsync(999);
  expect(await done()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await done()).toBe(true);
});

test('does not wait in a hidden page', async () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  expect(await (await watched())()).toBe(true);
});

test('does not wait in a browser that reports no paints', async () => {
  Observer.supportedEntryTypes = [];
  expect(await (await watched())()).toBe(true);
});
