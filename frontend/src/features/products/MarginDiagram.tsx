import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { type Currency, useMoney } from '~/ui/money';
import { Chart } from './Diagram';
import { FluidDiagram, Legend } from './FluidDiagram';
import styles from './FluidDiagram.module.css';
import marks from './marks.module.css';

const OWN_AMOUNT = 5_000;
/** The US maintenance requirement: minimum equity as a share of the position's value. */
const MAINTENANCE = 0.25;
/** The length of the longest bar; the rest is for its label. */
const LENGTH = 0.66;
const ROW_HEIGHT = 62;

/**
 * A leveraged position: constant debt and a falling value, until equity falls below the maintenance
 * requirement. `leverage` is the value of the position for each unit of equity.
 */
export function MarginDiagram({ leverage, currency }: { leverage: number; currency: Currency }) {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('margin');
  const start = OWN_AMOUNT * leverage;
  const debt = start - OWN_AMOUNT;
  const call = debt / (1 - MAINTENANCE);
  const values = [start, start * 0.8, call];
  /** A position on the axis of amounts. */
  const place = (value: number) => `${(value / start) * LENGTH * 100}%`;
  const amount = (value: number) =>
    money(Math.round(value), currency, { minDecimals: 0, maxDecimals: 0 });
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
    <FluidDiagram
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
          <Chart key={value}>
            <text className={marks.strong} y={y + 12}>
              {row === 0 ? t('start') : t('fall', { part: percent(1 - value / start) })}
            </text>
            <text className={`${marks.text} ${marks.end} ${marks.figure}`} x="100%" y={y + 12}>
              {amount(value)}
            </text>
            <rect className={marks.deep} y={y + 20} width={place(debt)} height={22} />
            <rect
              className={marks.accent}
              x={place(debt)}
              y={y + 20}
              width={place(value - debt)}
              height={22}
            />
            <text className={`${marks.soft} ${marks.figure}`} x={place(value)} dx={6} y={y + 36}>
              {t('stake', { part: percent(1 - debt / value) })}
            </text>
          </Chart>
        );
      })}
    </FluidDiagram>
  );
}
