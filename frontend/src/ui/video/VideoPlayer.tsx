import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { PlaybackJson } from '~/gen/sahm/content/v1/video_pb';
import { isLocale, LOCALES } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { useHydrated } from '~/lib/page/hydrated';
import { usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import styles from './VideoPlayer.module.css';

/**
 * A video in the browser's player with reserved space: keyboard, captions and full screen are the
 * browser's, and it plays without scripts. With scripts, a play button covers its poster until it
 * plays. Captions in the page's language are on by default.
 */
export function VideoPlayer({
  name,
  playback: { sources = [], poster, captions = [] },
  preload = 'metadata',
  badge,
  ref,
}: {
  name: string;
  playback: PlaybackJson;
  /** `none` for one of several videos, whose poster and length are shown. */
  preload?: 'metadata' | 'none';
  /** A short text on the poster until the video plays, such as its length. */
  badge?: ReactNode;
  ref?: Ref<HTMLVideoElement>;
}) {
  const { locale } = usePage();
  const hydrated = useHydrated();
  const t = useMessages('common');
  const video = useRef<HTMLVideoElement>(null);
  const [started, setStarted] = useState(false);
  useImperativeHandle(ref, () => video.current as HTMLVideoElement, []);
  const waits = hydrated && !started;
  return (
    <div className={`${styles.box} screen-only`}>
      {/* biome-ignore lint/a11y/useMediaCaption: the tracks below are captions, if any */}
      <video
        ref={video}
        className={styles.video}
        controls={!waits}
        playsInline
        preload={preload}
        poster={poster?.path}
        width={1280}
        height={720}
        aria-label={name}
        onPlay={() => setStarted(true)}
      >
        {sources.map(({ address, contentType }) => (
          <source key={address} src={address} type={contentType || undefined} />
        ))}
        {captions.map(
          ({ locale: language, path }) =>
            isLocale(language) && (
              <track
                key={language}
                kind="captions"
                src={path}
                srcLang={LOCALES[language].tag}
                label={LOCALES[language].name}
                default={language === locale}
              />
            ),
        )}
      </video>
      {badge && !started && <p className={styles.badge}>{badge}</p>}
      {waits && (
        <button
          type="button"
          className={styles.play}
          aria-label={t('play', { name })}
          onClick={() => {
            // The controls must be rendered before the video can take focus.
            flushSync(() => setStarted(true));
            video.current?.focus();
            // If playing is not allowed yet, the controls show it.
            video.current?.play().catch(() => {});
          }}
        >
          <span className={styles.sign}>
            <Icon name="play" />
          </span>
        </button>
      )}
    </div>
  );
}
