import type { ReactNode } from 'react';
import { usePage } from '~/lib/page/page';
import styles from './Diagram.module.css';
import marks from './marks.module.css';

/** The width of every diagram in its own units: text of size 14 is readable on a phone. */
export const WIDTH = 400;

/**
 * Positions in a diagram that follows the reading direction: flows, proportional bars, titles and
 * legends. Axes of prices, quantities or time belong in a `Chart`.
 */
export interface Drawing {
  /** The coordinate of a position along the reading direction, from 0. */
  x(place: number): number;
  /** The left edge of a box that starts at `place` and is `width` wide. */
  edge(place: number, width: number): number;
}

export function useDrawing(): Drawing {
  const { dir } = usePage();
  const mirrored = dir === 'rtl';
  return {
    x: (place) => (mirrored ? WIDTH - place : place),
    edge: (place, width) => (mirrored ? WIDTH - place - width : place),
  };
}

/**
 * The part of a diagram with an axis of prices, quantities or time: it runs from left to right in
 * both languages, so coordinates are not mirrored and texts are anchored on the same side.
 */
export function Chart({ children }: { children: ReactNode }) {
  return (
    <g className={marks.chart} data-chart="">
      {children}
    </g>
  );
}

/** An explanatory diagram: `label` describes it in words, the caption states its conclusion. */
export function Diagram({
  height,
  label,
  caption,
  title,
  children,
}: {
  height: number;
  label: string;
  caption?: ReactNode;
  /** A title, where several diagrams stand together. */
  title?: string;
  children: ReactNode;
}) {
  return (
    <figure className={styles.figure}>
      {title && <p className={styles.title}>{title}</p>}
      <svg
        className={styles.drawing}
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={label}
        focusable="false"
      >
        {children}
      </svg>
      {caption && <figcaption className={styles.caption}>{caption}</figcaption>}
    </figure>
  );
}
