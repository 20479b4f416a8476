import type { ImageJson } from '~/gen/sahm/content/v1/news_pb';
import styles from './Picture.module.css';

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
      <img
        src={image.path}
        alt={decorative ? '' : (image.alt ?? '')}
        width={image.width || undefined}
        height={image.height || undefined}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : undefined}
        decoding="async"
      />
    </span>
  );
}
