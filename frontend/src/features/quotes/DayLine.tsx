import type { DaySeriesJson } from '~/gen/sahm/quotes/v1/markets_pb';
import styles from './DayLine.module.css';
import { dayShape } from './day-series';
import type { Direction } from './price';

const WIDTH = 80;
const HEIGHT = 30;
/** The line spans at least this part of the previous close in each direction. */
const MIN_REACH = 0.005;

/**
 * A sparkline of the trading day with the previous close, or an empty box without data; the class
 * sets its size.
 */
export function DayLine({
  series,
  direction,
  className,
}: {
  series: DaySeriesJson | undefined;
  direction: Direction;
  className: string | undefined;
}) {
  const shape = dayShape(series, WIDTH, HEIGHT, MIN_REACH);
  if (!shape) return <span className={`${styles.box} ${className}`} />;
  return (
    <svg
      className={`${styles.box} ${styles[direction]} ${className}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      data-day=""
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.close} d={`M0 ${shape.baseline}H${WIDTH}`} />
      <path className={styles.line} d={shape.line} />
    </svg>
  );
}
