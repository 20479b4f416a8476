import { useSyncExternalStore } from 'react';
import { sitePathOf, usePaths } from './paths';

const EMPTY = { pathname: '', search: '', hash: '' };
let last = EMPTY;

/**
 * The address bar's path, query and hash; all empty on the server and in the first client render, since
 * a stored page knows none of them.
 */
export function useAddress(): { pathname: string; search: string; hash: string } {
  return useSyncExternalStore(subscribe, read, () => EMPTY);
}

function read() {
  const { pathname, search, hash } = window.location;
  if (last.pathname !== pathname || last.search !== search || last.hash !== hash) {
    last = { pathname, search, hash };
  }
  return last;
}

function subscribe(changed: () => void) {
  window.addEventListener('popstate', changed);
  window.addEventListener('hashchange', changed);
  window.addEventListener('sahm:navigated', changed);
  return () => {
    window.removeEventListener('popstate', changed);
    window.removeEventListener('hashchange', changed);
    window.removeEventListener('sahm:navigated', changed);
  };
}

/**
 * The path of what is shown, without locale prefix. A document that may not hold it (an * unmatched path; docs/pages.md) gets it from the address bar once it is hydrated; until then it is empty.
 */
export function useShownPath(): string {
  const { current } = usePaths();
  const { pathname } = useAddress();
  return current || sitePathOf(pathname);
}
