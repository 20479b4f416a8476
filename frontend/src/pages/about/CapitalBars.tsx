import type { ReactNode } from 'react';
import { CAPITAL_BEFORE_SAR, CAPITAL_SAR } from '~/lib/company';
import { useMessages } from '~/lib/messages/messages';
import { Money } from '~/ui/Money';
import styles from './CapitalBars.module.css';

const WIDTH = 320;

/** The capital before and after it was raised, to scale. The text above has both figures. */
export function CapitalBars() {
  const t = useMessages('about');
  const before = (WIDTH * CAPITAL_BEFORE_SAR) / CAPITAL_SAR;
  return (
    <div className={styles.bars} aria-hidden="true">
      <p className={styles.figure}>
        {t('capital.before')}
        <Money value={CAPITAL_BEFORE_SAR} currency="SAR" minDecimals={0} maxDecimals={0} />
      </p>
      <Bar>
        <rect className={styles.before} width={before} height="20" />
      </Bar>
      <p className={styles.figure}>
        {t('capital.now')}
        <Money value={CAPITAL_SAR} currency="SAR" minDecimals={0} maxDecimals={0} />
      </p>
      <Bar>
        <rect className={styles.before} width={before} height="20" />
        <rect className={styles.after} x={before} width={WIDTH - before} height="20" />
      </Bar>
    </div>
  );
}

function Bar({ children }: { children: ReactNode }) {
  return (
    <svg
      className={`${styles.bar} mirrored`}
      viewBox={`0 0 ${WIDTH} 20`}
      aria-hidden="true"
      focusable="false"
      preserveAspectRatio="none"
    >
      {children}
    </svg>
  );
}
