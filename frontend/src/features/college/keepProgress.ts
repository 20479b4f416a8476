import { getCollegeVideo, uploadCollegeVideoResult } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';

/** How far a video was seen, in seconds from its start. */
export interface Progress {
  position: number;
  duration: number;
}

/** Less than this is not worth going back to, nor coming back from. */
const MARGIN = 5;
/** While a video plays its position is kept this often. */
const EVERY = 10;

/** Where to go on; 0 at the start, and after the end. */
export function resumeAt({ position, duration }: Progress): number {
  return position >= MARGIN && position <= duration - MARGIN ? position : 0;
}

/** The whole seconds that the service takes; nothing while the length is not known. */
export function reportOf({ position, duration }: Progress): Progress | undefined {
  if (!Number.isFinite(duration) || duration <= 0) return undefined;
  const whole = Math.ceil(duration);
  return { position: Math.min(Math.max(0, Math.floor(position)), whole), duration: whole };
}

/** Whether a position is to be kept now; `kept` is the last one. A pause keeps every change. */
export function isNews(kept: number, position: number, playing: boolean): boolean {
  return playing ? Math.abs(position - kept) >= EVERY : position !== kept;
}

/** Puts a video where it was left; gives the second, 0 where it starts at its start. */
export async function resume(
  element: HTMLVideoElement,
  videoId: string,
  locale: Locale,
  signal: AbortSignal,
): Promise<number> {
  const { position = 0, video } = await post(getCollegeVideo, { videoId }, { locale, signal });
  const at = resumeAt({ position, duration: video?.duration ?? 0 });
  if (at === 0) return 0;
  await metadataOf(element, signal);
  // Whoever has begun already stays where they are.
  if (!element.paused || element.currentTime > 0) return 0;
  element.currentTime = at;
  return at;
}

function metadataOf(element: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  if (element.readyState >= HTMLMediaElement.HAVE_METADATA) return Promise.resolve();
  return new Promise((resolve) => {
    element.addEventListener('loadedmetadata', () => resolve(), { once: true, signal });
  });
}

/** Sends the position now and then, and a last time when `signal` ends it. */
export function keepPosition(
  element: HTMLVideoElement,
  videoId: string,
  locale: Locale,
  signal: AbortSignal,
): void {
  let kept = 0;
  let begun = !element.paused;
  const send = (playing: boolean) => {
    const report = reportOf({ position: element.currentTime, duration: element.duration });
    if (!begun || !report || !isNews(kept, report.position, playing)) return;
    kept = report.position;
    const options = { locale, keepalive: true };
    post(uploadCollegeVideoResult, { videoId, ...report }, options).catch(() => {});
  };
  const on = (target: EventTarget, type: string, heard: () => void) =>
    target.addEventListener(type, heard, { signal });
  on(element, 'play', () => {
    begun = true;
  });
  on(element, 'timeupdate', () => send(!element.paused));
  on(element, 'pause', () => send(false));
  on(element, 'ended', () => send(false));
  on(window, 'pagehide', () => send(false));
  on(document, 'visibilitychange', () => {
    if (document.visibilityState === 'hidden') send(false);
  });
  signal.addEventListener('abort', () => send(false), { once: true });
}
