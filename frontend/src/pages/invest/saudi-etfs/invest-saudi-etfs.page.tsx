import { Box, Diagram, useX } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/money';
import { defineProductPage } from '../ProductPage';

const UNIT = 10;
/** The weights of an example basket; the last is the rest. */
const PARTS = [
  { key: 'a', part: 0.24, className: marks.accent },
  { key: 'b', part: 0.18, className: marks.deep },
  { key: 'c', part: 0.14, className: marks.sand },
  { key: 'd', part: 0.09, className: marks.shape },
  { key: 'rest', part: 0.35, className: marks.faint },
] as const;

const TOP = 40;
const HEIGHT = 260;
const UNIT_WIDTH = 120;

/** The composition of one unit. */
function BasketDiagram() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-saudi-etfs');
  const x = useX();
  let y = TOP + 8;
  return (
    <Diagram height={TOP + HEIGHT + 24} label={t('diagram.label')} caption={t('diagram.caption')}>
      <text className={marks.strong} x={x(0)} y={18}>
        {t('diagram.unit', { price: money(UNIT, 'SAR') })}
      </text>
      <Box
        className={marks.raised}
        at={2}
        y={TOP}
        width={UNIT_WIDTH + 16}
        height={HEIGHT + 16}
        rx={12}
      />
      {PARTS.map(({ key, part, className }) => {
        const height = part * HEIGHT;
        const top = y;
        y += height;
        const middle = top + height / 2;
        return (
          <g key={key}>
            <Box
              className={className}
              at={10}
              y={top + 1}
              width={UNIT_WIDTH}
              height={height - 2}
              rx={4}
            />
            <path className={marks.grid} d={`M${x(UNIT_WIDTH + 22)} ${middle}H${x(162)}`} />
            <text className={marks.text} x={x(168)} y={middle + 5}>
              {t(`diagram.${key}`)}
            </text>
            <text
              className={`${marks.text} ${marks.end} ${marks.figure}`}
              x={x(318)}
              y={middle + 5}
            >
              {formatPercent(locale, part)}
            </text>
            <text
              className={`${marks.soft} ${marks.end} ${marks.figure}`}
              x={x(400)}
              y={middle + 5}
            >
              {money(part * UNIT, 'SAR')}
            </text>
          </g>
        );
      })}
    </Diagram>
  );
}

/** Many securities in one unit, and how its price relates to them. */
export default defineProductPage({ product: 'saudi-etfs', Diagram: BasketDiagram });
