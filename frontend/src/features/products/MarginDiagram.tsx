import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/money';
import { Box, Diagram, LegendEntry, useX } from './Diagram';
import marks from './marks.module.css';

const OWN_AMOUNT = 5_000;
/** The US maintenance requirement: minimum equity as a share of the position's value. */
const MAINTENANCE = 0.25;
const LENGTH = 280;
const ROW = 62;

/**
 * A leveraged position: constant debt and a falling value, until equity falls below the maintenance
 * requirement. `leverage` is the value of the position for each unit of equity.
 */
export function MarginDiagram({ leverage }: { leverage: number }) {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('margin');
  const x = useX();
  const start = OWN_AMOUNT * leverage;
  const debt = start - OWN_AMOUNT;
  const call = debt / (1 - MAINTENANCE);
  const values = [start, start * 0.8, call];
  const dollars = (value: number) => money(Math.round(value), 'USD', { least: 0, most: 0 });
  const percent = (part: number) => formatPercent(locale, part, { maximumFractionDigits: 0 });
  const label = t('label', {
    leverage,
    own: dollars(OWN_AMOUNT),
    start: dollars(start),
    debt: dollars(debt),
    call: dollars(call),
    fall: percent(1 - call / start),
    least: percent(MAINTENANCE),
  });
  return (
    <Diagram
      height={ROW * 3 + 66}
      label={label}
      caption={t('caption', { least: percent(MAINTENANCE) })}
    >
      <LegendEntry look={marks.deep} at={0} y={2}>
        {t('debt')}
      </LegendEntry>
      <LegendEntry look={marks.accent} at={200} y={2}>
        {t('own')}
      </LegendEntry>
      {values.map((value, row) => {
        const y = 36 + row * ROW;
        const scale = LENGTH / start;
        const width = value * scale;
        const debtWidth = debt * scale;
        return (
          <g key={value}>
            <text className={marks.strong} x={x(0)} y={y + 12}>
              {row === 0
                ? t('start', { leverage })
                : t('fall', { part: percent(1 - value / start) })}
            </text>
            <text className={`${marks.text} ${marks.end} ${marks.figure}`} x={x(400)} y={y + 12}>
              {dollars(value)}
            </text>
            <text className={`${marks.soft} ${marks.figure}`} x={x(width + 6)} y={y + 36}>
              {t('stake', { part: percent(1 - debt / value) })}
            </text>
            <Box look={marks.deep} at={0} y={y + 20} width={debtWidth} height={22} />
            <Box
              look={marks.accent}
              at={debtWidth + 2}
              y={y + 20}
              width={width - debtWidth - 2}
              height={22}
            />
          </g>
        );
      })}
      <text className={marks.strong} x={x(0)} y={36 + ROW * 3 + 14}>
        {t('call', { least: percent(MAINTENANCE) })}
      </text>
    </Diagram>
  );
}
