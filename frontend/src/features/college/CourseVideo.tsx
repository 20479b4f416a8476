import { useRef } from 'react';
import type { CollegeVideoJson } from '~/gen/sahm/content/v1/college_pb';
import { useMessages } from '~/lib/messages/messages';
import { clockTime } from '~/ui/video/clock';
import { VideoPlayer } from '~/ui/video/VideoPlayer';
import styles from './CourseVideo.module.css';
import { useVideoProgress } from './useVideoProgress';

/** A course's video with its name and length; goes on where it was left. */
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
        <span role="status" className={styles.resumed}>
          {resumed > 0 && (
            <>
              {t.rich('video.resumed', { time: <bdi key="time">{clockTime(resumed)}</bdi> })}{' '}
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
