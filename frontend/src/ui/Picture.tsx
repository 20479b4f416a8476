import type { ImageJson } from '~/gen/sahm/content/v1/news_pb';
import styles from './Picture.module.css';
import { ScaledImage } from './ScaledImage';

/**
 * A picture in a 16:9 box that reserves its space. `decorative` if the text next to it says the
 * same; `eager` above the fold.
 */
export function Picture({
  image,
  decorative = false,
  eager = false,
  className,
}: {
  image: ImageJson;
  decorative?: boolean;
  eager?: boolean;
  className?: string | undefined;
}) {
  return (
    <span className={[styles.box, className].filter(Boolean).join(' ')}>
      <ScaledImage
        image={image}
        alt={decorative ? '' : (image.alt ?? '')}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : undefined}
      />
    </span>
  );
}
