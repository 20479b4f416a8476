import { beforeEach, describe, expect, test, vi } from 'vitest';
import { importOrReload, mayReload } from './import-or-reload';

const begun = 1_764_000_000_000;

beforeEach(() => window.sessionStorage.clear());

test('a reload at most once a minute', () => {
  expect(mayReload(begun)).toBe(true);
  expect(mayReload(begun + 1)).toBe(false);
  expect(mayReload(begun + 59_999)).toBe(false);
  expect(mayReload(begun + 60_000)).toBe(true);
});

test('none where nothing can be remembered', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('blocked', 'SecurityError');
    },
  });
  expect(mayReload(begun)).toBe(false);
});

test('none off the network, and none is noted', () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  expect(mayReload(begun)).toBe(false);
  online.mockReturnValue(true);
  expect(mayReload(begun)).toBe(true);
});

describe('code that cannot be loaded', () => {
  const gone = () => Promise.reject(new TypeError('Failed to fetch'));
  const reload = vi.fn();
  const missing = vi.fn();

  beforeEach(() => {
    vi.clearAllMocks();
    vi.spyOn(window.location, 'reload').mockImplementation(reload);
  });

  test('reloads the page, and is missed where that was done a moment ago', async () => {
    expect(await importOrReload(gone, missing)).toBeUndefined();
    expect([reload.mock.calls.length, missing.mock.calls.length]).toEqual([1, 0]);
    expect(await importOrReload(gone, missing)).toBeUndefined();
    expect([reload.mock.calls.length, missing.mock.calls.length]).toEqual([1, 1]);
  });

  test('is given where it can', async () => {
    expect(await importOrReload(async () => 7, missing)).toBe(7);
    expect(missing).not.toHaveBeenCalled();
  });
});
