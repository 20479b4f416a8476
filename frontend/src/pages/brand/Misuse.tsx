import type { ReactNode } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import styles from './Misuse.module.css';

const NEAR = 'M29 3 2.5 12.6l11.3 5.6z';
const FAR = 'M29 3l-9.6 26.5-5.6-11.3z';

/** What to do with the mark, and what not, each drawn. */
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
        <path className={styles.gain} d={NEAR} />
        <path className={styles.loss} d={FAR} />
      </Case>
      <Case text={t('use.outline')}>
        <path className={styles.outline} d={NEAR} />
        <path className={styles.outline} d={FAR} />
      </Case>
    </ul>
  );
}

function Whole() {
  return (
    <>
      <path className={styles.near} d={NEAR} />
      <path className={styles.far} d={FAR} />
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
        {children}
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
