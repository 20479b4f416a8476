import type { ReactNode } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { MARK_FAR, MARK_NEAR } from '~/ui/mark-paths';
import page from './BrandPage.module.css';
import styles from './Drawings.module.css';

/** Correct and incorrect uses of the logo, each drawn. */
export function Misuse() {
  const t = useMessages('brand');
  return (
    <ul className={page.grid}>
      <Case text={t('use.mirror')} good>
        <Whole transform="translate(-18 0)" />
        <Whole transform="translate(50 0) scale(-1 1)" />
      </Case>
      <Case text={t('use.clear')} good>
        <Whole />
      </Case>
      <Case text={t('use.stretch')}>
        <Whole transform="translate(-14 6) scale(1.9 0.6)" />
      </Case>
      <Case text={t('use.turn')}>
        <Whole transform="rotate(100 16 16)" />
      </Case>
      <Case text={t('use.market')}>
        <Whole near={styles.gain} far={styles.loss} />
      </Case>
      <Case text={t('use.outline')}>
        <Whole near={styles.outline} far={styles.outline} />
      </Case>
    </ul>
  );
}

function Whole({
  transform,
  near = styles.near,
  far = styles.far,
}: {
  transform?: string;
  near?: string | undefined;
  far?: string | undefined;
}) {
  return (
    <g transform={transform}>
      <path className={near} d={MARK_NEAR} />
      <path className={far} d={MARK_FAR} />
    </g>
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
    <li>
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
