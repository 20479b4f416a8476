import { getCollegeVideo, uploadCollegeVideoResult } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';

/** The position in a video, in seconds. */
export interface Progress {
  position: number;
  duration: number;
}

/** Positions closer to the start or the end are not resumed. */
const RESUME_MARGIN_SECONDS = 5;
/** The position is saved this often while a video plays. */
const SAVE_INTERVAL_SECONDS = 10;

/** Where to resume; 0 near the start and near the end. */
export function resumeAt({ position, duration }: Progress): number {
  return position >= RESUME_MARGIN_SECONDS && position <= duration - RESUME_MARGIN_SECONDS
    ? position
    : 0;
}

/** The whole seconds to report; undefined while the length is unknown. */
export function reportOf({ position, duration }: Progress): Progress | undefined {
  if (!Number.isFinite(duration) || duration <= 0) return undefined;
  const whole = Math.ceil(duration);
  return { position: Math.min(Math.max(0, Math.floor(position)), whole), duration: whole };
}

/** Whether to save a position. A pause saves every change. */
export function shouldSave(savedPosition: number, position: number, playing: boolean): boolean {
  return playing
    ? Math.abs(position - savedPosition) >= SAVE_INTERVAL_SECONDS
    : position !== savedPosition;
}

/** Seeks to the saved position and returns it, or 0. */
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
  // Does not seek after the visitor has started the video.
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

/** Saves the position regularly, and a last time when `signal` aborts. */
export function savePositions(
  element: HTMLVideoElement,
  videoId: string,
  locale: Locale,
  signal: AbortSignal,
): void {
  let savedPosition = 0;
  let begun = !element.paused;
  const send = (playing: boolean) => {
    const report = reportOf({ position: element.currentTime, duration: element.duration });
    if (!begun || !report || !shouldSave(savedPosition, report.position, playing)) return;
    savedPosition = report.position;
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
