import type { Ref } from 'react';
import type { PlaybackJson } from '~/gen/sahm/content/v1/video_pb';
import { isLocale, LOCALES } from '~/lib/locale';
import { usePage } from '~/lib/page/page';
import styles from './VideoPlayer.module.css';

/**
 * A video in the browser's own player, in a box that is there before it: keyboard, captions and
 * full screen are the browser's, and it plays without scripts. Captions in the page's language are
 * on from the start.
 */
export function VideoPlayer({
  name,
  playback: { sources = [], poster, captions = [] },
  preload = 'metadata',
  ref,
}: {
  name: string;
  playback: PlaybackJson;
  /** `none` where it is one of several: its poster and its length stand beside it. */
  preload?: 'metadata' | 'none';
  ref?: Ref<HTMLVideoElement>;
}) {
  const { locale } = usePage();
  return (
    // biome-ignore lint/a11y/useMediaCaption: the tracks below are captions, where there are any
    <video
      ref={ref}
      className={styles.video}
      controls
      playsInline
      preload={preload}
      poster={poster?.path}
      width={1280}
      height={720}
      aria-label={name}
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
  );
}
