import type { ReactNode } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { MARK_FAR, MARK_NEAR } from '~/ui/mark-paths';
import styles from './Misuse.module.css';

/** Correct and incorrect uses of the logo, each drawn. */
export function Misuse() {
  const t = useMessages('brand');
  return (
    <ul className={styles.list}>
      <Case text={t('use.mirror')} good>
        <g transform="translate(-18 0)">
          <Whole />
        </g>
        <g transform="translate(50 0) scale(-1 1)">
          <Whole />
        </g>
      </Case>
      <Case text={t('use.clear')} good>
        <Whole />
      </Case>
      <Case text={t('use.stretch')}>
        <g transform="translate(-14 6) scale(1.9 0.6)">
          <Whole />
        </g>
      </Case>
      <Case text={t('use.turn')}>
        <g transform="rotate(100 16 16)">
          <Whole />
        </g>
      </Case>
      <Case text={t('use.market')}>
        <path className={styles.gain} d={MARK_NEAR} />
        <path className={styles.loss} d={MARK_FAR} />
      </Case>
      <Case text={t('use.outline')}>
        <path className={styles.outline} d={MARK_NEAR} />
        <path className={styles.outline} d={MARK_FAR} />
      </Case>
    </ul>
  );
}

function Whole() {
  return (
    <>
      <path className={styles.near} d={MARK_NEAR} />
      <path className={styles.far} d={MARK_FAR} />
    </>
  );
}

function Case({
  text,
  good = false,
  children,
}: {
  text: string;
  good?: boolean;
  children: ReactNode;
}) {
  const t = useMessages('brand');
  return (
    <li className={styles.case}>
      <svg viewBox="-24 -12 80 56" className={styles.drawing} aria-hidden="true" focusable="false">
        <g className={styles.mark}>{children}</g>
      </svg>
      <p className={styles.text}>
        <span className={styles.verdict} data-good={good || undefined}>
          <Icon name={good ? 'check' : 'close'} />
          <span className="visually-hidden">{t(good ? 'use.do' : 'use.dont')}: </span>
        </span>
        {text}
      </p>
    </li>
  );
}
