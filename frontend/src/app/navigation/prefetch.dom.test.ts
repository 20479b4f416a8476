import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startPrefetch } from './prefetch';

let fetched: string[];

/**
 * Starts with one link in view and one below, which may have focus. `fetched` lists what was
 * prefetched.
 */
function start(connection?: { effectiveType?: string; saveData?: boolean }, isFocused = false) {
  const ahead: string[] = [];
  fetched = ahead;
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true });
  document.body.innerHTML = '<a href="/in-view">In view</a><a href="/below">Below</a>';
  const links = [...document.querySelectorAll('a')];
  links.forEach((link, at) => {
    link.getBoundingClientRect = () => new DOMRect(0, at * 2 * window.innerHeight, 100, 20);
  });
  if (isFocused) links[1]?.focus();
  return startPrefetch({
    document,
    links: () => links,
    linkOf: ({ target }) => (target instanceof HTMLAnchorElement ? target : undefined),
    isClientLink: () => true,
    prefetchCode: (link) => ahead.push(`code ${link.pathname}`),
    prefetchData: (link) => ahead.push(`data ${link.pathname}`),
  });
}

beforeEach(() => vi.useFakeTimers());

afterEach(() => vi.useRealTimers());

describe('links in view', () => {
  test('have their data prefetched after two idle seconds, links below do not', () => {
    start();
    vi.advanceTimersByTime(1_999);
    expect(fetched).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(fetched).toEqual(['data /in-view']);
  });

  test.each(['scroll', 'pointerdown', 'keydown'])('wait while there is a %s', (type) => {
    start();
    vi.advanceTimersByTime(1_500);
    document.dispatchEvent(new Event(type));
    vi.advanceTimersByTime(1_999);
    expect(fetched).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(fetched).not.toEqual([]);
  });

  test('are searched again after a navigation', () => {
    const settled = start();
    vi.advanceTimersByTime(2_000);
    const before = [...fetched];
    settled();
    vi.advanceTimersByTime(2_000);
    expect(fetched).toEqual([...before, ...before]);
  });
});

test('each link in view is handled in its own task, and an interaction cancels the rest', () => {
  const looked: string[] = [];
  document.body.innerHTML = '<a href="/1">1</a><a href="/2">2</a><a href="/3">3</a>';
  const links = [...document.querySelectorAll('a')];
  for (const link of links) link.getBoundingClientRect = () => new DOMRect(0, 0, 100, 20);
  startPrefetch({
    document,
    links: () => links,
    linkOf: () => undefined,
    isClientLink: (link) => looked.push(link.pathname) > 0,
    prefetchCode: () => {},
    prefetchData: () => {},
  });
  vi.advanceTimersByTime(2_000);
  expect(looked).toEqual(['/1']);
  vi.advanceTimersToNextTimer();
  expect(looked).toEqual(['/1', '/2']);
  document.dispatchEvent(new Event('scroll'));
  vi.advanceTimersByTime(1_999);
  expect(looked).toEqual(['/1', '/2']);
});

test('a link that has the focus at the start is prefetched', () => {
  start(undefined, true);
  vi.advanceTimersByTime(1_000);
  expect(fetched).toEqual(['code /below', 'data /below']);
});

test.each([
  [{ effectiveType: '4g' }, true],
  [{ effectiveType: '2g' }, false],
  [{ effectiveType: 'slow-2g' }, false],
  [{ effectiveType: '4g', saveData: true }, false],
  [undefined, true],
])('on a connection %j links are fetched ahead: %s', (connection, ahead) => {
  start(connection);
  document.querySelectorAll('a')[1]?.dispatchEvent(new Event('focusin', { bubbles: true }));
  vi.advanceTimersByTime(10_000);
  expect(fetched.includes('data /in-view')).toBe(ahead);
  expect(fetched.includes('data /below')).toBe(ahead);
});
