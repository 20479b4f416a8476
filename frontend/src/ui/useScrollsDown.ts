import { useSyncExternalStore } from 'react';
import { onScroll } from './scroll';

let lastTop = 0;
let isDown = false;

/** Whether the page was last scrolled down; false at its top and until it is hydrated. */
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
