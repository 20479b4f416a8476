import { useCallback, useSyncExternalStore } from 'react';
import { usePage } from '~/lib/page/page';
import { clockSeconds, subscribeClock } from './clock';

/**
 * Now in epoch seconds: the document's `renderedAt` until the page is hydrated, then the clock's,
 * renewed every minute, and by the second around `edges`, at which something begins or ends.
 */
export function useNow(...edges: readonly number[]): number {
  const { renderedAt } = usePage();
  const times = edges.join();
  const watch = useCallback(
    (changed: () => void) =>
      subscribeClock(changed, times === '' ? [] : times.split(',').map(Number)),
    [times],
  );
  return useSyncExternalStore(watch, clockSeconds, () => renderedAt);
}
