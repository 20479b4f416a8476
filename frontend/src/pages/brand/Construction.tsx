import { useId } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { MARK_FAR, MARK_NEAR } from '~/ui/mark-paths';
import styles from './Drawings.module.css';

/** How the logo is constructed, and its clear space: two labelled drawings. */
export function Construction() {
  const t = useMessages('brand');
  return (
    <div className={styles.pair}>
      <figure className={styles.figure}>
        <Drawing label={t('construction.fold')}>
          <path className={styles.grid} d={GRID} />
          <g className={styles.mark}>
            <path className={styles.near} d={MARK_NEAR} />
            <path className={styles.far} d={MARK_FAR} />
            <path className={styles.fold} d="M33 -1 6 26" />
          </g>
        </Drawing>
        <figcaption>{t('construction.fold')}</figcaption>
      </figure>
      <figure className={styles.figure}>
        <Drawing label={t('construction.room')}>
          <g className={styles.mark}>
            <rect className={styles.room} x="-2.25" y="-3.25" width="37.5" height="37.5" />
            <rect className={styles.box} x="4" y="3" width="25" height="25" />
            <path className={styles.near} d={MARK_NEAR} />
            <path className={styles.far} d={MARK_FAR} />
          </g>
          <path className={styles.measure} d="M16 -3.25V3M14.5 -3.25h3M14.5 3h3" />
          <text className={styles.letter} x="19" y="1.3">
            ¼
          </text>
        </Drawing>
        <figcaption>{t('construction.room')}</figcaption>
      </figure>
    </div>
  );
}

const LINES = [-8, -4, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40];
const GRID = LINES.map((at) => `M${at} -8v48M-8 ${at}h48`).join('');

function Drawing({ label, children }: { label: string; children: React.ReactNode }) {
  const id = useId();
  return (
    <svg viewBox="-10 -10 52 52" role="img" aria-labelledby={id} className={styles.drawing}>
      <title id={id}>{label}</title>
      {children}
    </svg>
  );
}
