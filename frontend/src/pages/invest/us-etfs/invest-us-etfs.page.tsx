import { Chart, Diagram } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { useMoney } from '~/ui/money';
import { defineProductPage } from '../ProductPage';
import { FUND_CHARGES, FUND_START, FUND_YEARS, fundValue } from './figures';

const CLASS_NAMES = [marks.line, marks.second, marks.dash];
const [BEGIN, END, TOP, BOTTOM] = [8, 336, 24, 250];
const [LOW, HIGH] = [6_000, 33_000];

/** The same growth under three annual charges. */
function ChargeDiagram() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-us-etfs');
  const across = (years: number) => BEGIN + (years / FUND_YEARS) * (END - BEGIN);
  const up = (value: number) =>
    Math.round(BOTTOM - ((value - LOW) / (HIGH - LOW)) * (BOTTOM - TOP));
  const line = (charge: number) =>
    Array.from({ length: FUND_YEARS + 1 }, (_, year) => year)
      .map((year) => `${year === 0 ? 'M' : 'L'}${across(year)} ${up(fundValue(charge, year))}`)
      .join('');
  return (
    <Diagram height={300} label={t('diagram.label')} caption={t('diagram.caption')}>
      <Chart>
        <path className={marks.axis} d={`M${BEGIN} ${TOP - 10}V${BOTTOM}H${END + 4}`} />
        <path className={marks.grid} d={`M${BEGIN} ${up(FUND_START)}H${END}`} />
        <text className={marks.soft} x={BEGIN + 8} y={up(FUND_START) + 18}>
          {money(FUND_START, 'USD', { minDecimals: 0 })}
        </text>
        {FUND_CHARGES.map((charge, i) => (
          <g key={charge}>
            <path className={CLASS_NAMES[i]} d={line(charge)} />
            <text
              className={`${marks.strong} ${marks.figure}`}
              x={END + 8}
              y={up(fundValue(charge, FUND_YEARS)) + 5}
            >
              {formatPercent(locale, charge)}
            </text>
          </g>
        ))}
        {[0, 10, FUND_YEARS].map((year) => (
          <text
            key={year}
            className={`${marks.soft} ${year === 0 ? '' : marks.middle}`}
            x={across(year)}
            y={BOTTOM + 24}
          >
            {t('diagram.year', { year })}
          </text>
        ))}
      </Chart>
    </Diagram>
  );
}

/** A market in one unit, and the effect of its annual charge. */
export default defineProductPage({ product: 'us-etfs', Diagram: ChargeDiagram });
