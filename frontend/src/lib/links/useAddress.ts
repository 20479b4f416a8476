import { useSyncExternalStore } from 'react';

const EMPTY = { search: '', hash: '' };
let last = EMPTY;

/**
 * The address bar's query and hash; both empty on the server and in the first client render, since
 * a stored page knows neither.
 */
export function useAddress(): { search: string; hash: string } {
  return useSyncExternalStore(subscribe, read, () => EMPTY);
}

function read() {
  const { search, hash } = window.location;
  if (last.search !== search || last.hash !== hash) last = { search, hash };
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
