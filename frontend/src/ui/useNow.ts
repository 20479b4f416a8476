import { useSyncExternalStore } from 'react';
import { usePage } from '~/lib/page/page';

const MINUTE = 60_000;

/**
 * Now in epoch seconds, whole minutes: the document's `renderedAt` until the page is hydrated, then
 * the clock's, renewed every minute.
 */
export function useNow(): number {
  const { renderedAt } = usePage();
  return useSyncExternalStore(
    everyMinute,
    () => Math.floor(Date.now() / MINUTE) * 60,
    () => renderedAt,
  );
}

function everyMinute(changed: () => void) {
  const timer = setInterval(changed, MINUTE);
  return () => clearInterval(timer);
}
