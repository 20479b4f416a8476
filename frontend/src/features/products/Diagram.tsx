import type { ReactNode } from 'react';
import { usePage } from '~/lib/page/page';
import styles from './Diagram.module.css';
import marks from './marks.module.css';

/** Width of every diagram in its own units: text of 14 stays readable on a phone. */
export const WIDTH = 400;

/**
 * Where things stand in a diagram that is read in the page's direction: flows, proportional bars,
 * titles and keys. An axis of prices, quantities or time stands in a `Chart` instead.
 */
export interface Drawing {
  /** A place along the line: 0 is where reading begins. */
  x(place: number): number;
  /** The drawn left edge of a box that begins at `place` and is `width` wide. */
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
 * The part of a diagram that has an axis of prices, quantities or time: the axis runs from left to
 * right in both languages, so coordinates are plain and texts are anchored to the same side.
 */
export function Chart({ children }: { children: ReactNode }) {
  return (
    <g className={marks.chart} data-chart="">
      {children}
    </g>
  );
}

/** A drawing that explains: `label` says all of it in words, the caption what to take from it. */
export function Diagram({
  height,
  label,
  caption,
  title,
  className,
  children,
}: {
  height: number;
  label: string;
  caption?: ReactNode;
  /** Above the drawing, where several stand together. */
  title?: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <figure className={[styles.figure, className].filter(Boolean).join(' ')}>
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
