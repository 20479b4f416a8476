import { afterEach, beforeEach, describe, expect, it, test, vi } from 'vitest';
import { isLaunchable, launch, outcomeOf } from './launch';

test.each([
  [{ left: true, blurred: false, elapsed: 100 }, 'succeeded'],
  [{ left: true, blurred: true, elapsed: 2_000 }, 'succeeded'],
  [{ left: false, blurred: false, elapsed: 4_000 }, 'succeeded'],
  [{ left: false, blurred: true, elapsed: 2_000 }, 'unknown'],
  [{ left: false, blurred: false, elapsed: 2_000 }, 'failed'],
] as const)('%j is %s', (seen, outcome) => {
  expect(outcomeOf(seen)).toBe(outcome);
});

test.each([
  ['sahm://open', true],
  ['https://sahm.example/get', true],
  ['sahm:open', false],
  ['/download', false],
  ['http://sahm.example', false],
])('%s can open the app: %s', (url, expected) => {
  expect(isLaunchable(url)).toBe(expected);
});

describe('launch', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('fails when nothing happens for 2000 ms', async () => {
    const navigate = vi.fn();
    let outcome: string | undefined;
    launch('sahm://open', navigate).then((known) => {
      outcome = known;
    });
    expect(navigate).toHaveBeenCalledExactlyOnceWith('sahm://open');
    await vi.advanceTimersByTimeAsync(1_999);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toBe('failed');
  });

  it('succeeds as soon as the page is hidden', async () => {
    const launched = launch('sahm://open', vi.fn());
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(await launched).toBe('succeeded');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not know when only the focus went', async () => {
    const launched = launch('sahm://open', vi.fn());
    window.dispatchEvent(new Event('blur'));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await launched).toBe('unknown');
  });

  it('simply goes to what cannot open the app', async () => {
    const navigate = vi.fn();
    expect(await launch('/download', navigate)).toBe('unknown');
    expect(navigate).toHaveBeenCalledExactlyOnceWith('/download');
    expect(vi.getTimerCount()).toBe(0);
  });
});
