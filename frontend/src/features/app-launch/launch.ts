import { APP_SCHEME } from './target';

/** Timeout for the app to open. */
const APP_LAUNCH_MS = 2_000;

/** The outcome of a launch after the timeout. */
export type Outcome = 'failed' | 'unknown' | 'succeeded';

/** Page events observed during a launch. */
export interface Seen {
  /** The page was hidden or unloaded. */
  left: boolean;
  /** The page lost focus to the app or to a system dialog. */
  blurred: boolean;
  /** Milliseconds since the launch. */
  elapsed: number;
}

/**
 * A much longer time than the timeout means that the page was suspended, so another app was in
 * front.
 */
const SUSPENDED_AFTER_MS = APP_LAUNCH_MS * 2;

export function outcomeOf({ left, blurred, elapsed }: Seen): Outcome {
  if (left || elapsed >= SUSPENDED_AFTER_MS) return 'succeeded';
  return blurred ? 'unknown' : 'failed';
}

/** Whether an address can open the app; others are plain links. */
export function isLaunchable(url: string): boolean {
  return url.startsWith(`${APP_SCHEME}//`) || url.startsWith('https://');
}

/**
 * Asks the app to open an address. Reports the outcome after the timeout, or when the page is left.
 * An address that cannot open the app is followed like a link, with outcome `unknown`.
 */
export function launch(
  url: string,
  navigate: (url: string) => void = (to) => window.location.assign(to),
): Promise<Outcome> {
  if (!isLaunchable(url)) {
    navigate(url);
    return Promise.resolve('unknown');
  }
  return new Promise((resolve) => {
    const begun = Date.now();
    const seen = { left: false, blurred: false };
    const watching = new AbortController();
    const { signal } = watching;
    const end = () => {
      clearTimeout(timer);
      watching.abort();
      resolve(outcomeOf({ ...seen, elapsed: Date.now() - begun }));
    };
    const onLeft = () => {
      seen.left = true;
      end();
    };
    const onHidden = () => document.hidden && onLeft();
    const onBlur = () => {
      seen.blurred = true;
    };
    document.addEventListener('visibilitychange', onHidden, { signal });
    window.addEventListener('pagehide', onLeft, { signal });
    window.addEventListener('blur', onBlur, { signal });
    const timer = setTimeout(end, APP_LAUNCH_MS);
    navigate(url);
  });
}
