import { useCallback, useSyncExternalStore } from 'react';
import { usePage } from '~/lib/page/page';

const SECOND = 1_000;
/** Displayed times lag behind by at most this. */
const MAX_LAG_SECONDS = 60;

let now = 0;

/** Epoch seconds of the page's clock: at most a minute old, and constant between updates. */
export function clockSeconds(): number {
  if (seconds() - now > MAX_LAG_SECONDS) renew();
  return now;
}

/**
 * Updates the clock immediately, every minute, and within a second after each of `edges` (epoch
 * seconds), and calls `changed`. Returns a function that stops it.
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
      Math.min(MAX_LAG_SECONDS, ...ahead) * SECOND,
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
 * The current time in epoch seconds: the document's `renderedAt` until hydration, then the clock's,
 * updated every minute and to the second at `edges`, when something starts or ends.
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
