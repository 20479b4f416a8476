import { modulesOf } from './modules';
import styles from './QrCode.module.css';

/** A QR code rendered on the server, which works without scripts. */
export function QrDrawing({
  text,
  label,
  caption,
}: {
  text: string;
  label: string;
  caption: string;
}) {
  const { path, size } = modulesOf(text);
  return (
    <figure className={`${styles.code} ${styles.onPc}`}>
      <div className={styles.box} data-drawn="">
        <svg
          role="img"
          aria-label={label}
          viewBox={`0 0 ${size} ${size}`}
          shapeRendering="crispEdges"
        >
          <path d={path} className={styles.modules} />
        </svg>
      </div>
      <figcaption className={styles.caption} data-drawn="">
        {caption}
      </figcaption>
    </figure>
  );
}
