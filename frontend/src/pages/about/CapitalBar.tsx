import { CAPITAL_BEFORE_SAR, CAPITAL_SAR } from '~/lib/company';
import { useMessages } from '~/lib/messages/messages';
import { Money } from '~/ui/Money';
import styles from './CapitalBar.module.css';

const WIDTH = 320;

/** The capital as the amount before it was raised and the increase, to scale, with a legend. */
export function CapitalBar() {
  const t = useMessages('about');
  const before = (WIDTH * CAPITAL_BEFORE_SAR) / CAPITAL_SAR;
  const parts = [
    { name: 'before', amount: CAPITAL_BEFORE_SAR, x: 0, width: before },
    {
      name: 'increase',
      amount: CAPITAL_SAR - CAPITAL_BEFORE_SAR,
      x: before,
      width: WIDTH - before,
    },
  ] as const;
  return (
    <>
      <svg
        className={`${styles.bar} mirrored`}
        viewBox={`0 0 ${WIDTH} 20`}
        aria-hidden="true"
        preserveAspectRatio="none"
      >
        {parts.map(({ name, x, width }) => (
          <rect key={name} className={styles[name]} x={x} width={width} height="20" />
        ))}
      </svg>
      <dl className={styles.legend}>
        {parts.map(({ name, amount }) => (
          <div key={name} className={`${styles.part} ${styles[name]}`}>
            <dt>{t(`capital.${name}`)}</dt>
            <dd className={styles.amount}>
              <Money value={amount} currency="SAR" minDecimals={0} maxDecimals={0} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
