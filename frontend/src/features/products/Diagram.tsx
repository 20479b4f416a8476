import type { ComponentProps, ReactNode } from 'react';
import { usePage } from '~/lib/page/page';
import styles from './Diagram.module.css';
import marks from './marks.module.css';

/** The width of every diagram in its own units: text of size 14 is readable on a phone. */
export const WIDTH = 400;

/**
 * The coordinate of a position along the reading direction, from 0. For flows, proportional bars,
 * titles and legends; axes of prices, quantities or time belong in a `Chart`.
 */
export function useX(): (place: number) => number {
  const { dir } = usePage();
  return (place) => (dir === 'rtl' ? WIDTH - place : place);
}

/** A box that starts at `at` along the reading direction. */
export function Box({
  at,
  width,
  ...rest
}: ComponentProps<'rect'> & { at: number; width: number }) {
  const { dir } = usePage();
  const x = dir === 'rtl' ? WIDTH - at - width : at;
  return <rect {...rest} x={x} width={width} />;
}

/** A colour and its meaning; `y` is the upper edge. */
export function LegendEntry({
  className,
  at,
  y,
  children,
}: {
  className: string | undefined;
  at: number;
  y: number;
  children: ReactNode;
}) {
  const x = useX();
  return (
    <>
      <Box className={className} at={at} y={y} width={14} height={14} rx={3} />
      <text className={marks.soft} x={x(at + 20)} y={y + 12}>
        {children}
      </text>
    </>
  );
}

/**
 * The part of a diagram with an axis of prices, quantities or time (docs/pages.md#diagrams): it runs
 * from left to right in both languages, so coordinates are not mirrored and texts are anchored on the same side.
 */
export function Chart({ children }: { children: ReactNode }) {
  return (
    <g className={marks.chart} data-chart="">
      {children}
    </g>
  );
}

/**
 * An explanatory diagram: `label` describes it in words, the caption states its conclusion. One with
 * a `legend` is as wide as its column: positions along its axis are percentages, so that texts keep
 * their size.
 */
export function Diagram({
  height,
  label,
  caption,
  title,
  legend,
  children,
}: {
  height: number;
  label: string;
  caption?: ReactNode;
  /** A title, for diagrams that are shown together. */
  title?: string;
  legend?: ReactNode;
  children: ReactNode;
}) {
  const size = legend ? { width: '100%', height } : { viewBox: `0 0 ${WIDTH} ${height}` };
  return (
    <figure className={legend ? `${styles.figure} ${styles.fluid}` : styles.figure}>
      {title && <p className={styles.title}>{title}</p>}
      {legend && <ul className={styles.legend}>{legend}</ul>}
      <svg className={styles.drawing} {...size} role="img" aria-label={label}>
        {children}
      </svg>
      {caption && <figcaption className={styles.caption}>{caption}</figcaption>}
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
      <svg width={14} height={14} aria-hidden="true">
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
