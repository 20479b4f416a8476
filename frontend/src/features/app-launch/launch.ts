import { APP_SCHEME } from './target';

/** How long a page waits for the app to open. */
const APP_LAUNCH_MS = 2_000;

/** What is known of a launch once the time is over. */
export type Outcome = 'failed' | 'unknown' | 'succeeded';

/** What was seen of the page while the app was waited for. */
export interface Seen {
  /** The page was hidden or left. */
  left: boolean;
  /** The page lost the focus, to the app or to a question of the system. */
  blurred: boolean;
  /** Milliseconds since the launch, by the clock. */
  elapsed: number;
}

/** Far more time than was asked for: the page was suspended, so something else was in front. */
const SUSPENDED = APP_LAUNCH_MS * 2;

export function outcomeOf({ left, blurred, elapsed }: Seen): Outcome {
  if (left || elapsed >= SUSPENDED) return 'succeeded';
  return blurred ? 'unknown' : 'failed';
}

/** Whether an address can open the app at all; another is simply gone to. */
export function isLaunchable(url: string): boolean {
  return url.startsWith(`${APP_SCHEME}//`) || url.startsWith('https://');
}

/**
 * Asks the app to open an address and tells after 2000 ms, or as soon as the page is left, what
 * came of it. An address that cannot open the app is gone to like any link: unknown at once.
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
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.hidden) onLeft();
      },
      { signal },
    );
    window.addEventListener('pagehide', onLeft, { signal });
    window.addEventListener(
      'blur',
      () => {
        seen.blurred = true;
      },
      { signal },
    );
    const timer = setTimeout(end, APP_LAUNCH_MS);
    navigate(url);
  });
}
