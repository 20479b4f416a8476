import type { ReactNode } from 'react';
import styles from './FluidDiagram.module.css';

/**
 * An explanatory diagram as wide as its column: positions along the axis are percentages, so texts
 * keep their size. `label` describes it in words, the caption states its conclusion.
 */
export function FluidDiagram({
  height,
  label,
  title,
  legend,
  caption,
  children,
}: {
  height: number;
  label: string;
  title?: string;
  legend: ReactNode;
  caption: ReactNode;
  children: ReactNode;
}) {
  return (
    <figure className={styles.figure}>
      {title && <p className={styles.title}>{title}</p>}
      <ul className={styles.legend}>{legend}</ul>
      <svg
        className={styles.drawing}
        width="100%"
        height={height}
        role="img"
        aria-label={label}
        focusable="false"
      >
        {children}
      </svg>
      <figcaption className={styles.caption}>{caption}</figcaption>
    </figure>
  );
}

/** A colour or a line and its meaning. */
export function Legend({
  className,
  line,
  children,
}: {
  className: string | undefined;
  /** Draws a vertical line. */
  line?: boolean;
  children: ReactNode;
}) {
  return (
    <li className={styles.entry}>
      <svg width={14} height={14} aria-hidden="true" focusable="false">
        {line ? (
          <path className={className} d="M7 0v14" />
        ) : (
          <rect className={className} width={14} height={14} rx={3} />
        )}
      </svg>
      {children}
    </li>
  );
}
