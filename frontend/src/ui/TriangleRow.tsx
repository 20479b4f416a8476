import { useId } from 'react';
import styles from './TriangleRow.module.css';

/**
 * A row of small leaning Najdi triangles across its box, pointing up from the content below. Two
 * rows of different pitch form the edge of a section.
 */
export function TriangleRow({ rows = 1, className }: { rows?: 1 | 2; className?: string }) {
  const id = useId();
  return (
    <svg
      className={[styles.row, 'mirrored', className].filter(Boolean).join(' ')}
      height={rows === 2 ? 28 : 14}
      aria-hidden="true"
    >
      <defs>
        <pattern
          id={id}
          width="24"
          height="14"
          patternUnits="userSpaceOnUse"
          y={rows === 2 ? 14 : 0}
        >
          <path d="M0 14 15 0 24 14z" fill="currentcolor" />
        </pattern>
        {rows === 2 && (
          <pattern id={`${id}-far`} width="48" height="28" patternUnits="userSpaceOnUse">
            <path d="M0 28 30 0 48 28z" className={styles.far} />
          </pattern>
        )}
      </defs>
      {rows === 2 && <rect width="100%" height="28" fill={`url(#${id}-far)`} />}
      <rect y={rows === 2 ? 14 : 0} width="100%" height="14" fill={`url(#${id})`} />
    </svg>
  );
}

/** The edge below a night section, which leaves 28 px for it. */
export function NightEdge() {
  return <TriangleRow rows={2} className={styles.edge} />;
}
