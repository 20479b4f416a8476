import type { ReactNode } from 'react';
import { useMessages } from '~/lib/messages/messages';
import { Money } from '~/ui/Money';
import type { Currency } from '~/ui/money';
import { type Decimal, toText } from './decimal';
import styles from './FeeSplit.module.css';
import type { FeeLine, FeeName, OrderFees } from './order';

/** The colour of each fee in every order; fees that share one belong to different markets. */
const COLOURS: Readonly<Record<FeeName, string | undefined>> = {
  commission: styles.part1,
  regulator: styles.part2,
  sec: styles.part2,
  exchange: styles.part3,
  cat: styles.part3,
  settlement: styles.part4,
  clearing: styles.part5,
  vat: styles.part6,
};

/** An order's fees as a bar split into fees, with the amounts below. */
export function FeeSplit({
  kicker,
  title,
  fees,
  currency,
  rates,
  note,
}: {
  /** Names the order that the fees belong to; an example if absent. */
  kicker?: string;
  title: ReactNode;
  fees: OrderFees;
  currency: Currency;
  /** How a fee is calculated. */
  rates: (name: FeeName) => ReactNode;
  note?: string;
}) {
  const t = useMessages('fees');
  const money = (value: Decimal) => <Money value={toText(value)} currency={currency} />;
  return (
    <figure className={styles.split}>
      <figcaption>
        <span className={styles.kicker}>{kicker ?? t('example')}</span>
        <span className={styles.title}>{title}</span>
      </figcaption>
      <p className={styles.total}>
        <span>{t('total')}</span>
        {money(fees.total)}
      </p>
      <Bar lines={fees.lines} />
      <dl>
        {fees.lines.map(({ name, amount }) => (
          <div key={name} className={styles.line}>
            <dt>
              <span className={`${styles.swatch} ${COLOURS[name]}`} aria-hidden="true" />
              <span className={styles.name}>{t(name)}</span>
              <span className={styles.rate}>{rates(name)}</span>
            </dt>
            <dd>{money(amount)}</dd>
          </div>
        ))}
      </dl>
      {note && <p className={styles.note}>{note}</p>}
    </figure>
  );
}

const LENGTH = 1000;
const GAP = 4;

// Drawn as SVG, because pages contain no inline styles.
function Bar({ lines }: { lines: readonly FeeLine[] }) {
  const amounts = lines.map(({ name, amount }) => ({ name, amount: Number(toText(amount)) }));
  const total = amounts.reduce((sum, { amount }) => sum + amount, 0);
  const room = LENGTH - GAP * (amounts.length - 1);
  let x = 0;
  return (
    <svg
      className={`${styles.bar} mirrored`}
      viewBox={`0 0 ${LENGTH} 22`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {amounts.map(({ name, amount }) => {
        // The fees of a small order may all round to zero.
        const share = total > 0 ? amount / total : 0;
        const width = Math.max(3, Math.round(share * room));
        const part = <rect key={name} className={COLOURS[name]} x={x} width={width} height={22} />;
        x += width + GAP;
        return part;
      })}
    </svg>
  );
}
