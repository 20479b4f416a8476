import { useSyncExternalStore } from 'react';

/** What a page without content stands for. */
export type PageStatus =
  | 'error'
  | 'no-data'
  | 'no-network'
  | 'page-not-found'
  | 'empty'
  | 'error-network';

/** Stands for an HTTP status where nothing answered at all. */
export const STATUS_NO_ANSWER = 0;

/**
 * The status of an answer: `httpStatus` 0 is none at all, `items` how much there is to show. A
 * device that is off the network gives `error-network`, whatever was answered.
 */
export function statusOf(
  connected: boolean,
  httpStatus: number,
  items?: number,
): PageStatus | undefined {
  if (!connected) return 'error-network';
  if (httpStatus === STATUS_NO_ANSWER) return 'no-network';
  if (httpStatus === 404) return 'page-not-found';
  if (httpStatus >= 400) return 'error';
  if (httpStatus === 204) return 'no-data';
  return items === 0 ? 'empty' : undefined;
}

/** The message (namespace `error`) that is the heading and the title of an error page. */
export function errorTitle(
  connected: boolean,
  httpStatus: number,
): 'title' | 'title.offline' | 'title.no-answer' {
  const status = statusOf(connected, httpStatus);
  if (status === 'error-network') return 'title.offline';
  return status === 'no-network' ? 'title.no-answer' : 'title';
}

/** Whether the device has a network, as far as the browser knows; true on the server. */
export function useConnected(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
}

function subscribe(changed: () => void) {
  window.addEventListener('online', changed);
  window.addEventListener('offline', changed);
  return () => {
    window.removeEventListener('online', changed);
    window.removeEventListener('offline', changed);
  };
}
