import { type RefObject, useEffect, useRef, useState } from 'react';
import type { CollegeVideoJson } from '~/gen/sahm/content/v1/college_pb';
import { clockTime } from '~/lib/format/clock';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import secondary from '~/ui/secondary.module.css';
import { VideoPlayer } from '~/ui/video/VideoPlayer';
import styles from './CourseVideo.module.css';

/** A course's video with its name and length; resumes where the visitor stopped. */
export function CourseVideo({ video }: { video: CollegeVideoJson }) {
  const t = useMessages('college');
  const player = useRef<HTMLVideoElement>(null);
  const { resumed, restart } = useVideoProgress(player, video.id ?? '');
  const { name = '', address = '', duration = 0 } = video;
  const playback = video.playback?.sources?.length ? video.playback : { sources: [{ address }] };
  return (
    <figure className={styles.figure}>
      <VideoPlayer ref={player} name={name} playback={playback} />
      <figcaption className={styles.caption}>
        <span className={styles.name}>{name}</span>
        {duration > 0 && (
          <span className={styles.length}>
            <span className="visually-hidden">{t('video.length')} </span>
            <bdi>{clockTime(duration)}</bdi>
          </span>
        )}
        <span role="status" className={secondary.small}>
          {resumed > 0 && (
            <>
              {t.rich('video.resumed', { time: <bdi>{clockTime(resumed)}</bdi> })}{' '}
              <button type="button" className={styles.restart} onClick={restart}>
                {t('video.restart')}
              </button>
            </>
          )}
        </span>
      </figcaption>
    </figure>
  );
}

/**
 * Saves the position while a video plays, when it pauses and when the page is left, and resumes
 * there next time. Returns the second at which it resumes, 0 for the start. Failures are silent:
 * the video plays anyway.
 */
function useVideoProgress(video: RefObject<HTMLVideoElement | null>, videoId: string) {
  const { locale } = usePage();
  const [resumed, setResumed] = useState(0);

  useEffect(() => {
    const element = video.current;
    if (!element) return;
    const controller = new AbortController();
    import('./video-progress').then(
      ({ savePositions, resume }) => {
        if (controller.signal.aborted) return;
        resume(element, videoId, locale, controller.signal).then(setResumed, () => {});
        savePositions(element, videoId, locale, controller.signal);
      },
      () => {},
    );
    return () => controller.abort();
  }, [video, videoId, locale]);

  function restart() {
    const element = video.current;
    if (!element) return;
    element.currentTime = 0;
    // The focused button is removed.
    element.focus();
    setResumed(0);
    element.play().catch(() => {});
  }
  return { resumed, restart };
}
