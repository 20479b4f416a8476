import type { Ref } from 'react';
import { isLocale, LOCALES } from '~/lib/locale';
import { usePage } from '~/lib/page/page';
import styles from './VideoPlayer.module.css';

/** How a video plays. */
export interface Playback {
  sources?: { address?: string; contentType?: string }[];
  poster?: { path?: string };
  /** WebVTT, one a language at most. */
  captions?: { locale?: string; path?: string }[];
}

/**
 * A video in the browser's own player, in a box that is there before it: keyboard, captions and
 * full screen are the browser's, and it plays without scripts. Captions in the page's language are
 * on from the start.
 */
export function VideoPlayer({
  name,
  playback: { sources = [], poster, captions = [] },
  autoPlay = false,
  ref,
}: {
  name: string;
  playback: Playback;
  /** Only where the reader has just asked for it. */
  autoPlay?: boolean;
  ref?: Ref<HTMLVideoElement>;
}) {
  const { locale } = usePage();
  return (
    // biome-ignore lint/a11y/useMediaCaption: captions are the tracks below, where there are any
    <video
      ref={ref}
      className={styles.video}
      controls
      playsInline
      preload={autoPlay ? 'auto' : 'metadata'}
      poster={poster?.path}
      width={1280}
      height={720}
      aria-label={name}
      autoPlay={autoPlay}
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
