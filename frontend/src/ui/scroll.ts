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

/** Whether the page was last scrolled down; false at the top and until hydration. */
export function useScrollsDown(): boolean {
  return useSyncExternalStore(onScroll, readDirection, () => false);
}

function readDirection(): boolean {
  const { scrollY } = window;
  if (scrollY !== lastTop) {
    isDown = scrollY > lastTop;
    lastTop = scrollY;
  }
  return isDown;
}
