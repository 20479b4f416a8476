import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Money } from '~/ui/Money';
import { type Currency, useMoney } from '~/ui/money';
import { Diagram, Legend } from './Diagram';
import styles from './Diagram.module.css';
import marks from './marks.module.css';

const OWN_AMOUNT = 5_000;
/** The US maintenance requirement: minimum equity as a share of the position's value. */
const MAINTENANCE = 0.25;
/** The length of the longest bar; the rest is for its label. */
const LENGTH = 0.66;
const ROW_HEIGHT = 62;
const WHOLE = { minDecimals: 0, maxDecimals: 0 };

/**
 * A leveraged position: constant debt and a falling value, until equity falls below the maintenance
 * requirement. `leverage` is the value of the position for each unit of equity.
 */
export function MarginDiagram({ leverage, currency }: { leverage: number; currency: Currency }) {
  const { locale, dir } = usePage();
  const isRtl = dir === 'rtl';
  const money = useMoney();
  const t = useMessages('margin');
  const start = OWN_AMOUNT * leverage;
  const debt = start - OWN_AMOUNT;
  const call = debt / (1 - MAINTENANCE);
  const values = [start, start * 0.8, call];
  /** The length of an amount, in percent. */
  const lengthOf = (value: number) => (value / start) * LENGTH * 100;
  /** A position along the reading direction. */
  const x = (percent: number) => `${isRtl ? 100 - percent : percent}%`;
  /** A bar from one amount to another. */
  const bar = (from: number, to: number) => ({
    x: x(lengthOf(isRtl ? to : from)),
    width: `${lengthOf(to - from)}%`,
  });
  const amount = (value: number) => money(Math.round(value), currency, WHOLE);
  const percent = (part: number) => formatPercent(locale, part, { maximumFractionDigits: 0 });
  const label = t('label', {
    leverage,
    own: amount(OWN_AMOUNT),
    start: amount(start),
    debt: amount(debt),
    call: amount(call),
    fall: percent(1 - call / start),
    least: percent(MAINTENANCE),
  });
  return (
    <Diagram
      height={ROW_HEIGHT * values.length}
      label={label}
      title={t('title', { leverage })}
      legend={
        <>
          <Legend className={marks.deep}>{t('debt')}</Legend>
          <Legend className={marks.accent}>{t('own')}</Legend>
          {currency === 'USD' && <li>{t('currency')}</li>}
        </>
      }
      caption={
        <>
          <strong className={styles.conclusion}>
            {t('call', { least: percent(MAINTENANCE) })}
          </strong>
          {t('caption', { least: percent(MAINTENANCE) })}
        </>
      }
    >
      {values.map((value, row) => {
        const y = row * ROW_HEIGHT;
        return (
          <g key={value} data-bars="">
            {/* HTML, because the riyal sign is drawn. */}
            <foreignObject y={y - 4} width="100%" height={22}>
              <p className={styles.row}>
                <strong>
                  {row === 0 ? t('start') : t('fall', { part: percent(1 - value / start) })}
                </strong>
                <Money value={Math.round(value)} currency={currency} {...WHOLE} />
              </p>
            </foreignObject>
            <rect className={marks.deep} {...bar(0, debt)} y={y + 20} height={22} />
            <rect className={marks.accent} {...bar(debt, value)} y={y + 20} height={22} />
            <text
              className={`${marks.soft} ${marks.figure}`}
              x={x(lengthOf(value))}
              dx={isRtl ? -6 : 6}
              y={y + 36}
            >
              {t('stake', { part: percent(1 - debt / value) })}
            </text>
          </g>
        );
      })}
    </Diagram>
  );
}
