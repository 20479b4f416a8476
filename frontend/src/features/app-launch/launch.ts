import { resolveRedirect } from '~/lib/links/redirect';

/** The URL scheme that the app registers on phones. */
const APP_SCHEME = 'sahm:';

const MAX_TARGET_LENGTH = 2_048;

/**
 * The address in a query that the app should open: the app's own scheme, a page of this site, or a
 * page on one of the origins or their subdomains. Otherwise undefined.
 */
export function readTarget(
  value: string | null,
  origin: string,
  origins: readonly string[],
): string | undefined {
  if (!value || value.length > MAX_TARGET_LENGTH || /[\s\\\p{Cc}]/u.test(value)) return undefined;
  if (value.startsWith(`${APP_SCHEME}//`)) return parse(value) && value;
  return resolveRedirect(value, origin, origins);
}

/** The target in the first parameter that has one. */
export function targetOf(
  search: string,
  origin: string,
  origins: readonly string[],
): string | undefined {
  const query = new URLSearchParams(search);
  return ['link', 'target']
    .map((name) => readTarget(query.get(name), origin, origins))
    .find(Boolean);
}

/** How the app is opened: by its URL scheme, or by a universal link. */
export type Launch = { by: 'scheme' | 'link'; url: string };

/**
 * The address that opens the app on a phone with a target: the universal link on iOS, the scheme
 * elsewhere.
 */
export function launchOf(device: string, target: string | undefined, oneLink: string): Launch {
  if (target?.startsWith(APP_SCHEME)) return { by: 'scheme', url: target };
  const link = device === 'ios' ? parse(oneLink) : undefined;
  const url = link ?? new URL(`${APP_SCHEME}//open`);
  if (target) url.searchParams.set('link', target);
  return { by: link ? 'link' : 'scheme', url: url.href };
}

/** The origin of a link; undefined if it is not http(s). */
export function originOf(link: string): string | undefined {
  const url = parse(link);
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

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
