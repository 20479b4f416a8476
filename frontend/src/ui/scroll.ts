import { useSyncExternalStore } from 'react';

const SCROLL_LAG_MS = 200;
const RESIZE_LAG_MS = 500;

/**
 * Calls back on scrolling and resizing: at the first event, then at most once in `lag` milliseconds
 * (500 for resizing), and at most `lag` after the last event. Returns a function that stops it.
 */
export function onScroll(changed: () => void, lag = SCROLL_LAG_MS): () => void {
  const scrolled = throttle(changed, lag);
  const resized = throttle(changed, RESIZE_LAG_MS);
  window.addEventListener('scroll', scrolled.call, { passive: true });
  window.addEventListener('resize', resized.call, { passive: true });
  return () => {
    scrolled.stop();
    resized.stop();
    window.removeEventListener('scroll', scrolled.call);
    window.removeEventListener('resize', resized.call);
  };
}

function throttle(work: () => void, lag: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const call = () => {
    again = timer !== undefined;
    if (again) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (again) call();
    }, lag);
    work();
  };
  return { call, stop: () => clearTimeout(timer) };
}

let lastTop = 0;
let isDown = false;

/** On the first screen (also until hydration), or below it and last scrolled down or up. */
export type ScrollState = 'start' | 'down' | 'up';

export function useScrollState(): ScrollState {
  return useSyncExternalStore(onScroll, readState, () => 'start');
}

function readState(): ScrollState {
  const { scrollY, innerHeight } = window;
  if (scrollY !== lastTop) {
    isDown = scrollY > lastTop;
    lastTop = scrollY;
  }
  if (scrollY < innerHeight / 2) return 'start';
  return isDown ? 'down' : 'up';
}
