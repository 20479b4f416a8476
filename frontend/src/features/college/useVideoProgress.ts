import { type RefObject, useEffect, useState } from 'react';
import { usePage } from '~/lib/page/page';

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
    import('./keepProgress').then(
      ({ keepPosition, resume }) => {
        if (left.signal.aborted) return;
        resume(element, videoId, locale, left.signal).then(setResumed, () => {});
        keepPosition(element, videoId, locale, left.signal);
      },
      () => {},
    );
    return () => left.abort();
  }, [video, videoId, locale]);

  function restart() {
    const element = video.current;
    if (!element) return;
    element.currentTime = 0;
    // The button that asked for it goes.
    element.focus();
    setResumed(0);
    element.play().catch(() => {});
  }
  return { resumed, restart };
}
