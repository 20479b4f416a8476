import { Chart, Diagram, useX, WIDTH } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { useMessages } from '~/lib/messages/messages';
import { defineProductPage } from '../ProductPage';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'mon'] as const;
const CELL = WIDTH / DAYS.length;
const ROW = 104;

/** Trading days of each market as indices of DAYS, with those of a trade and its settlement. */
const MARKETS = [
  { market: 'saudi', open: [0, 1, 2, 3, 4, 7, 8], trade: 3, settlement: 7, after: 2 },
  { market: 'us', open: [1, 2, 3, 4, 5, 8], trade: 3, settlement: 4, after: 1 },
] as const;

/** When a trade on a Wednesday settles in both markets, in business days. */
function SettlementDiagram() {
  const common = useMessages('common');
  const t = useMessages('invest-saudi-stocks');
  const x = useX();
  const middle = (day: number) => (day + 0.5) * CELL;
  return (
    <Diagram height={ROW * 2 + 20} label={t('diagram.label')} caption={t('diagram.caption')}>
      {MARKETS.map(({ market, open, trade, settlement, after }, row) => {
        const y = row * ROW + 4;
        return (
          <g key={market}>
            <text className={marks.strong} x={x(0)} y={y + 12}>
              {common(`market.${market}`)}
            </text>
            <text className={`${marks.soft} ${marks.end}`} x={x(WIDTH)} y={y + 12}>
              {t('diagram.after', { days: after })}
            </text>
            <Chart>
              {DAYS.map((day, place) => {
                const isOpen = (open as readonly number[]).includes(place);
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the order of the days is fixed
                  <g key={place}>
                    <rect
                      className={isOpen ? marks.raised : marks.faint}
                      x={place * CELL + 2}
                      y={y + 24}
                      width={CELL - 4}
                      height={50}
                      rx={6}
                    />
                    <text className={`${marks.soft} ${marks.middle}`} x={middle(place)} y={y + 90}>
                      {t(`day.${day}`)}
                    </text>
                  </g>
                );
              })}
              <path
                className={marks.line}
                d={`M${middle(trade)} ${y + 49}H${middle(settlement)}`}
              />
              <path className={marks.accent} d={`M${middle(trade) - 11} ${y + 58}l11-20 11 20z`} />
              <circle className={marks.deep} cx={middle(settlement)} cy={y + 49} r={10} />
            </Chart>
          </g>
        );
      })}
      <path className={marks.accent} d={`M${x(10) - 7} ${ROW * 2 + 14}l7-13 7 13z`} />
      <text className={marks.soft} x={x(24)} y={ROW * 2 + 13}>
        {t('diagram.trade')}
      </text>
      <circle className={marks.deep} cx={x(168)} cy={ROW * 2 + 8} r={7} />
      <text className={marks.soft} x={x(182)} y={ROW * 2 + 13}>
        {t('diagram.settled')}
      </text>
    </Diagram>
  );
}

/** A share, its trading day and its settlement. */
export default defineProductPage({ product: 'saudi-stocks', Diagram: SettlementDiagram });
