import { useSyncExternalStore } from 'react';
import { sitePathOf, usePaths } from './paths';

const NO_ADDRESS = { pathname: '', search: '', hash: '' };
let last = NO_ADDRESS;

/**
 * The current path, query and hash; empty on the server and in the first client render, because
 * cached pages do not contain them.
 */
export function useAddress(): { pathname: string; search: string; hash: string } {
  return useSyncExternalStore(subscribe, read, () => NO_ADDRESS);
}

function read() {
  const { pathname, search, hash } = window.location;
  if (last.pathname !== pathname || last.search !== search || last.hash !== hash) {
    last = { pathname, search, hash };
  }
  return last;
}

function subscribe(changed: () => void) {
  const listening = new AbortController();
  for (const name of ['popstate', 'hashchange', 'sahm:navigated']) {
    window.addEventListener(name, changed, { signal: listening.signal });
  }
  return () => listening.abort();
}

/**
 * The path of the current page without locale prefix. A document of an unmatched path does not
 * contain it (docs/pages.md): it is then empty until hydration.
 */
export function useShownPath(): string {
  const { current } = usePaths();
  const { pathname } = useAddress();
  return current || sitePathOf(pathname);
}
