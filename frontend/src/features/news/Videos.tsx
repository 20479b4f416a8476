import { useEffect, useRef } from 'react';
import type { NewsVideoJson } from '~/gen/sahm/content/v1/news_videos_pb';
import { clockTime } from '~/lib/format/clock';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import rows from '~/ui/rows.module.css';
import { SampleMark } from '~/ui/SampleScope';
import { Time } from '~/ui/Time';
import { VideoPlayer } from '~/ui/video/VideoPlayer';
import section from './section.module.css';
import styles from './Videos.module.css';

/** The latest videos in the browser's player; one plays at a time. */
export function Videos({ videos }: { videos: readonly NewsVideoJson[] }) {
  const { platform } = usePage();
  const t = useMessages('news');
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const element = list.current;
    const onPlay = ({ target }: Event) => {
      for (const video of element?.querySelectorAll('video') ?? []) {
        if (video !== target) video.pause();
      }
    };
    // `play` does not bubble.
    element?.addEventListener('play', onPlay, true);
    return () => element?.removeEventListener('play', onPlay, true);
  }, []);
  if (videos.length === 0) return null;
  return (
    <section aria-labelledby="news-videos" className={`${section.part} screen-only`}>
      <h2 id="news-videos" className={section.title}>
        {t('videos')}
      </h2>
      {/* On phones the list is a scrollable strip, so it must be reachable by keyboard. */}
      <ul
        ref={list}
        className={styles.videos}
        tabIndex={platform === 'pc' ? undefined : 0}
        aria-labelledby="news-videos"
      >
        {videos.map((video) => (
          <li key={video.id} className={styles.item}>
            <Video video={video} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Video({ video }: { video: NewsVideoJson }) {
  const t = useMessages('news');
  const { title = '', summary, playback = {} } = video;
  return (
    <article className={styles.video}>
      <VideoPlayer
        name={title}
        playback={playback}
        preload="none"
        badge={
          playback.duration ? (
            <>
              <span className="visually-hidden">{t('videos.length')} </span>
              <bdi>{clockTime(playback.duration)}</bdi>
            </>
          ) : null
        }
      />
      <h3 className={styles.name}>{title}</h3>
      <p className={styles.summary}>{summary}</p>
      <p className={`${rows.details} ${styles.meta}`}>
        <SampleMark item={video} />
        <Time epoch={video.publishedAt ?? 0} />
      </p>
    </article>
  );
}
