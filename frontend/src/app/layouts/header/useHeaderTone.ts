import { useSyncExternalStore } from 'react';
import { HEADER_THEME_INSET, STICKY_OBSERVER_DEBOUNCE } from '~/lib/constants';
import { onScroll } from '~/ui/scroll';

/**
 * `night` on home until the page is scrolled past the viewport's height less 100 px, then the
 * page's own.
 */
export function useHeaderTone(layout: string): 'night' | 'page' {
  const passed = useSyncExternalStore(
    onSticky,
    () => window.scrollY > window.innerHeight - HEADER_THEME_INSET,
    () => false,
  );
  return layout === 'home' && !passed ? 'night' : 'page';
}

function onSticky(changed: () => void) {
  return onScroll(changed, STICKY_OBSERVER_DEBOUNCE);
}
