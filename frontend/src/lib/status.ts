import { useSyncExternalStore } from 'react';

/** Why a page has no content. */
export type PageStatus = 'error' | 'no-network' | 'page-not-found' | 'empty' | 'error-network';

/** The status of a request without a response. */
export const STATUS_NO_ANSWER = 0;

/**
 * The status of a response: `httpStatus` 0 means no response, `items` is the number of items to
 * show. An offline device always gets `error-network`.
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
  return items === 0 ? 'empty' : undefined;
}

/** The message key (namespace `error`) of an error page's title and heading. */
export function errorTitle(
  connected: boolean,
  httpStatus: number,
): 'title' | 'title.offline' | 'title.no-answer' {
  const status = statusOf(connected, httpStatus);
  if (status === 'error-network') return 'title.offline';
  return status === 'no-network' ? 'title.no-answer' : 'title';
}

/** Whether the browser reports a network connection; true on the server. */
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
