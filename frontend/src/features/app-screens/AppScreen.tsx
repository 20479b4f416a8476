import type { ReactNode } from 'react';
import { Change } from '~/features/quotes/Price';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import { Money } from '~/ui/Money';
import styles from './AppScreen.module.css';

/** App screens that are drawn. */
export type Screen = 'portfolio' | 'list' | 'order' | 'learn';

const SCREENS: Readonly<Record<Screen, () => ReactNode>> = {
  portfolio: Portfolio,
  list: List,
  order: Order,
  learn: Learn,
};

/** A phone with a screen of the app. Decorative: the text next to it says the same. */
export function AppScreen({ screen, className }: { screen: Screen; className?: string }) {
  const t = useMessages('download');
  const Content = SCREENS[screen];
  return (
    <div
      className={[styles.phone, 'screen-only', className].filter(Boolean).join(' ')}
      aria-hidden="true"
    >
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

/**
 * Securities without sample quotes, so that no price here contradicts another page's: the day's
 * change as a fraction, the day's prices as a path in a box of 64 × 24.
 */
const LINES = [
  {
    name: 'list.saco',
    code: '4008',
    price: '28.40',
    currency: 'SAR',
    change: '0.0122',
    path: 'M0 17l8-2 8 3 8-6 8 2 8-5 8 3 8-5 8-3',
  },
  {
    name: 'list.fedex',
    code: 'FDX',
    price: '269.10',
    currency: 'USD',
    change: '0.0041',
    path: 'M0 15l8-3 8 2 8-4 8 1 8 3 8-5 8-1 8-2',
  },
  {
    name: 'list.halwani',
    code: '6001',
    price: '45.15',
    currency: 'SAR',
    change: '-0.0087',
    path: 'M0 6l8 3 8-2 8 5 8-2 8 4 8 2 8-2 8 4',
  },
  {
    name: 'list.ebay',
    code: 'EBAY',
    price: '82.15',
    currency: 'USD',
    change: '-0.0154',
    path: 'M0 4l8 5 8-3 8 6 8-1 8 5 8-2 8 4 8 1',
  },
] as const;

const PORTFOLIO = { value: '12480.40', change: '0.0068' };

function Portfolio() {
  const t = useMessages('download');
  return (
    <>
      <div className={styles.portfolio}>
        <span className={styles.soft}>{t('list.portfolio')}</span>
        <span className={styles.total}>
          <Money value={PORTFOLIO.value} currency="USD" softDecimals />
        </span>
        <span>
          <DayChange price={PORTFOLIO.value} change={PORTFOLIO.change} />{' '}
          <span className={styles.soft}>{t('list.today')}</span>
        </span>
        <svg
          viewBox="0 0 260 64"
          className={styles.day}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <path
            className={styles.area}
            d="M0 48l20-4 20 6 20-12 20 4 20-10 20 2 20 6 20-14 20 4 20-10 20 2 20-8 20-4V64H0z"
          />
          <path
            className={styles.line}
            data-up=""
            d="M0 48l20-4 20 6 20-12 20 4 20-10 20 2 20 6 20-14 20 4 20-10 20 2 20-8 20-4"
          />
        </svg>
      </div>
      <List />
    </>
  );
}

function List() {
  const t = useMessages('download');
  return (
    <>
      <ul>
        {LINES.map(({ name, code, price, currency, change, path }) => (
          <li key={name} className={styles.row}>
            <span>
              <span className={styles.strong}>{t(name)}</span>
              <bdi className={styles.soft}>{code}</bdi>
            </span>
            <svg
              viewBox="0 0 64 24"
              className={styles.line}
              data-up={Number(change) > 0 || undefined}
              aria-hidden="true"
            >
              <path d={path} />
            </svg>
            <span className={styles.price}>
              <Money value={price} currency={currency} softDecimals />
              <DayChange price={price} change={change} />
              <span className={styles.time}>
                {currency === 'SAR'
                  ? t('list.live', { time: '12:41' })
                  : t('list.delayed', { time: '12:26' })}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.example}>{t('list.example')}</p>
    </>
  );
}

function DayChange({ price, change }: { price: string; change: string }) {
  return (
    <span className={styles.change}>
      <Change quote={{ lastPrice: price, highAndLowLimited: change }} />
    </span>
  );
}

/** The fees of the drawn order, as parts of the bar. */
const FEES = [
  { name: 'fee.commission', amount: '1.99' },
  { name: 'fee.settlement', amount: '0.30' },
  { name: 'fee.vat', amount: '0.30' },
] as const;

function Order() {
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
        <span className={styles.typed}>
          <Money value="20" currency="USD" />
        </span>
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
        {FEES.map(({ name, amount }, index) => (
          <li key={name}>
            <svg viewBox="0 0 10 10" className={styles.key} aria-hidden="true">
              <rect className={styles[`part${index + 1}`]} width="10" height="10" rx="2.5" />
            </svg>
            {t(name)}
            <span className={styles.amount}>
              <Money value={amount} currency="USD" />
            </span>
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
      <ol>
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
