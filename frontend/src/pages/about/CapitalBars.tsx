import { CAPITAL_BEFORE_SAR, CAPITAL_SAR } from '~/lib/constants';
import styles from './CapitalBars.module.css';

const WIDTH = 320;

/** The capital before and after it was raised, to scale. The figures stand beside it as text. */
export function CapitalBars() {
  const before = (WIDTH * CAPITAL_BEFORE_SAR) / CAPITAL_SAR;
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${WIDTH} 44`}
      aria-hidden="true"
      focusable="false"
      preserveAspectRatio="none"
    >
      <rect className={styles.before} width={before} height="16" />
      <rect className={styles.before} y="24" width={before} height="20" />
      <rect className={styles.after} x={before} y="24" width={WIDTH - before} height="20" />
    </svg>
  );
}
