import { useSyncExternalStore } from 'react';
import { onScroll } from '~/ui/scroll';

const INSET_PX = 100;
const MAX_LAG_MS = 100;

/**
 * `night` on home until the page is scrolled past the viewport's height less 100 px, then the
 * page's own.
 */
export function useHeaderTone(layout: string): 'night' | 'page' {
  const passed = useSyncExternalStore(
    onSticky,
    () => window.scrollY > window.innerHeight - INSET_PX,
    () => false,
  );
  return layout === 'home' && !passed ? 'night' : 'page';
}

function onSticky(changed: () => void) {
  return onScroll(changed, MAX_LAG_MS);
}
