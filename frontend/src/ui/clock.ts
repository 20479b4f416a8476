import { useCallback, useSyncExternalStore } from 'react';
import { usePage } from '~/lib/page/page';

const SECOND = 1_000;
/** How far, in seconds, what is shown may lag behind. */
const LAG = 60;

let now = 0;

/** Epoch seconds of the page's clock: never more than a minute old, and still between renewals. */
export function clockSeconds(): number {
  if (seconds() - now > LAG) renew();
  return now;
}

/**
 * Renews the clock at once, then every minute and within a second after each of `edges` (epoch
 * seconds), and tells of what comes then. Returns what ends it.
 */
export function subscribeClock(changed: () => void, edges: readonly number[] = []): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = () => {
    renew();
    const ahead = edges.map((edge) => edge + 1 - now).filter((left) => left > 0);
    timer = setTimeout(
      () => {
        wait();
        changed();
      },
      Math.min(LAG, ...ahead) * SECOND,
    );
  };
  wait();
  return () => clearTimeout(timer);
}

function renew() {
  now = seconds();
}

function seconds(): number {
  return Math.floor(Date.now() / SECOND);
}

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
