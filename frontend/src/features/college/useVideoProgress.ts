import { type RefObject, useEffect, useState } from 'react';
import type { GetCollegeVideoResponseJson } from '~/gen/sahm/content/v1/college_pb';
import { call } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { usePage } from '~/lib/page/page';
import { isNews, reportOf, resumeAt } from './progress';

/**
 * Keeps how far a video was seen: while it plays, when it pauses and when the page is left; and
 * goes on from there the next time. Gives the second it goes on at, 0 for the start. Both fail
 * silently: the video plays all the same.
 */
export function useVideoProgress(video: RefObject<HTMLVideoElement | null>, videoId: string) {
  const { locale } = usePage();
  const [resumed, setResumed] = useState(0);

  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const left = new AbortController();
    resume(element, videoId, locale, left.signal).then(setResumed, () => {});
    const forget = keepPosition(element, videoId, locale);
    return () => {
      left.abort();
      forget();
    };
  }, [video, videoId, locale]);

  function restart() {
    const element = video.current;
    if (!element) return;
    element.currentTime = 0;
    setResumed(0);
    element.play().catch(() => {});
  }
  return { resumed, restart };
}

async function resume(
  element: HTMLVideoElement,
  videoId: string,
  locale: Locale,
  signal: AbortSignal,
): Promise<number> {
  const options = { locale, signal };
  const { position = 0, video } = await call<GetCollegeVideoResponseJson>(
    '/college/video/get-video-by-id',
    { videoId },
    options,
  );
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

/** Sends the position now and then. Returns what ends it, after a last one. */
function keepPosition(element: HTMLVideoElement, videoId: string, locale: Locale): () => void {
  let kept = 0;
  let begun = false;
  const send = (playing: boolean) => {
    const report = reportOf({ position: element.currentTime, duration: element.duration });
    if (!begun || !report || !isNews(kept, report.position, playing)) return;
    kept = report.position;
    const options = { locale, keepalive: true };
    call('/college/video/view-result/upload', { videoId, ...report }, options).catch(() => {});
  };
  const ended = new AbortController();
  const on = (target: EventTarget, type: string, heard: () => void) =>
    target.addEventListener(type, heard, { signal: ended.signal });
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
  return () => {
    send(false);
    ended.abort();
  };
}
