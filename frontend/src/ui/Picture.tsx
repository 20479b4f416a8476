import type { ImageJson } from '~/gen/sahm/content/v1/news_pb';
import styles from './Picture.module.css';
import { ScaledImage } from './ScaledImage';

/**
 * A picture in a box of 16:9 that is there before the picture is. `decorative` where the text
 * beside it says the same; `eager` for the one seen first.
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
