import type { ReactNode } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import { useMoney } from '~/ui/useMoney';
import styles from './AppScreen.module.css';

/** The screens of the app that are drawn. */
export type Screen = 'list' | 'order' | 'learn';

const SCREENS: Readonly<Record<Screen, () => ReactNode>> = {
  list: List,
  order: Order,
  learn: Learn,
};

/** A phone with a screen of the app, as a picture: what it shows is told in the text beside it. */
export function AppScreen({ screen, className }: { screen: Screen; className?: string }) {
  const t = useMessages('download');
  const Content = SCREENS[screen];
  return (
    <div className={[styles.phone, className].filter(Boolean).join(' ')} aria-hidden="true">
      <div className={styles.screen}>
        <div className={styles.bar}>
          <Mark />
          <span className={styles.title}>{t(`screen.${screen}`)}</span>
          <Icon name={screen === 'order' ? 'close' : 'search'} />
        </div>
        <Content />
      </div>
    </div>
  );
}

// How a price went, in a box of 72 × 28; the last point decides the direction that is drawn.
const LINES = [
  { name: 'list.saudi', path: 'M0 20l9-3 9 4 9-8 9 2 9-5 9 3 9-6 9-3', up: true },
  { name: 'list.us', path: 'M0 22l9-6 9 2 9-4 9-1 9 3 9-7 9-2 9-1', up: true },
  { name: 'list.etf', path: 'M0 8l9 3 9-2 9 6 9-2 9 4 9 3 9-2 9 4', up: false },
  { name: 'list.reit', path: 'M0 18l9 1 9-4 9 2 9-3 9 1 9-3 9 2 9-4', up: true },
  { name: 'list.sukuk', path: 'M0 15l9-1 9 1 9-2 9 1 9-1 9 1 9-2 9 1', up: true },
] as const;

function List() {
  const t = useMessages('download');
  return (
    <ul className={styles.rows}>
      {LINES.map(({ name, path, up }) => (
        <li key={name} className={styles.row}>
          <span>
            <span className={styles.strong}>{t(name)}</span>
            <span className={styles.soft}>{t(`${name}.note`)}</span>
          </span>
          <svg
            viewBox="0 0 72 28"
            className={styles.line}
            data-up={up || undefined}
            aria-hidden="true"
          >
            <path d={path} />
          </svg>
          <svg
            viewBox="0 0 12 12"
            className={styles.sign}
            data-up={up || undefined}
            aria-hidden="true"
          >
            <path d={up ? 'M6 2l5 8H1z' : 'M6 10L1 2h10z'} />
          </svg>
        </li>
      ))}
    </ul>
  );
}

function Order() {
  const money = useMoney();
  const t = useMessages('download');
  return (
    <>
      <div className={styles.sides}>
        <span data-on="">{t('order.buy')}</span>
        <span>{t('order.sell')}</span>
      </div>
      <div className={styles.box}>
        <span>{t('order.shares')}</span>
        <bdi className={styles.typed}>100</bdi>
      </div>
      <div className={styles.box}>
        <span>{t('order.price')}</span>
        <bdi className={styles.typed}>{money('20', 'USD')}</bdi>
      </div>
      <p className={styles.strong}>{t('order.fees')}</p>
      <svg
        viewBox="0 0 240 12"
        className={styles.split}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect className={styles.part1} width="182" height="12" />
        <rect className={styles.part2} x="184" width="27" height="12" />
        <rect className={styles.part3} x="213" width="27" height="12" />
      </svg>
      <ul className={styles.fees}>
        {(['fee.commission', 'fee.settlement', 'fee.vat'] as const).map((name, index) => (
          <li key={name}>
            <svg viewBox="0 0 10 10" className={styles.key} aria-hidden="true">
              <rect className={styles[`part${index + 1}`]} width="10" height="10" rx="2.5" />
            </svg>
            {t(name)}
          </li>
        ))}
      </ul>
      <span className={styles.action}>{t('order.confirm')}</span>
    </>
  );
}

function Learn() {
  const t = useMessages('download');
  return (
    <>
      <svg viewBox="0 0 240 120" className={styles.art} aria-hidden="true">
        <path className={styles.far} d="M0 120 60 40l60 80zM120 120l60-80 60 80z" />
        <path className={styles.near} d="M60 120l60-80 60 80z" />
      </svg>
      <ol className={styles.rows}>
        {(['learn.1', 'learn.2', 'learn.3'] as const).map((name, index) => (
          <li key={name} className={styles.lesson}>
            <span className={styles.dot} data-done={index === 0 || undefined}>
              {index === 0 ? <Icon name="check" /> : index + 1}
            </span>
            <span className={styles.strong}>{t(name)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
