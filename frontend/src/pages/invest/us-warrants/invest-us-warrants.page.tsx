import { Chart, Diagram } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { formatNumber, formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { defineProductPage } from '../ProductPage';
import { SHARE_PRICE, shareReturn, WARRANT_STRIKE, warrantReturn } from './figures';

const [LOW, HIGH] = [6, 18];
const [BEGIN, END] = [60, 392];
const ZERO = 170;
const SCALE = 84;

/** The return of a share and of a warrant on it, by share price at expiry. */
function GearingDiagram() {
  const { locale } = usePage();
  const t = useMessages('invest-us-warrants');
  const across = (price: number) => BEGIN + ((price - LOW) / (HIGH - LOW)) * (END - BEGIN);
  const up = (part: number) => ZERO - part * SCALE;
  const percent = (part: number) =>
    formatPercent(locale, part, { maximumFractionDigits: 0, signDisplay: 'exceptZero' });
  return (
    <Diagram height={330} label={t('diagram.label')} caption={t('diagram.caption')}>
      <Chart>
        {[1, 0, -1].map((part) => (
          <g key={part}>
            <path
              className={part === 0 ? marks.axis : marks.grid}
              d={`M${BEGIN} ${up(part)}H${END}`}
            />
            <text className={`${marks.soft} ${marks.end}`} x={BEGIN - 8} y={up(part) + 5}>
              {percent(part)}
            </text>
          </g>
        ))}
        <path
          className={marks.second}
          d={`M${across(LOW)} ${up(shareReturn(LOW))}L${across(HIGH)} ${up(shareReturn(HIGH))}`}
        />
        <path
          className={marks.line}
          d={`M${across(LOW)} ${up(-1)}H${across(WARRANT_STRIKE)}L${across(HIGH)} ${up(warrantReturn(HIGH))}`}
        />
        <text className={`${marks.strong} ${marks.end}`} x={across(15.4)} y={up(1.32)}>
          {t('diagram.warrant')}
        </text>
        <text className={`${marks.strong} ${marks.end}`} x={across(HIGH)} y={up(0.16)}>
          {t('diagram.share')}
        </text>
        <path className={marks.grid} d={`M${across(WARRANT_STRIKE)} ${up(-1)}V${up(-1) + 24}`} />
        {[WARRANT_STRIKE, SHARE_PRICE, 15, HIGH].map((price) => (
          <text
            key={price}
            className={`${marks.soft} ${price === HIGH ? marks.end : marks.middle}`}
            x={across(price)}
            y={up(-1) + 40}
          >
            {formatNumber(locale, price)}
          </text>
        ))}
        <text className={marks.soft} x={BEGIN} y={up(-1) + 64}>
          {t('diagram.axis')}
        </text>
      </Chart>
    </Diagram>
  );
}

/** The right to buy new shares, and its gearing. */
export default defineProductPage({ product: 'us-warrants', Diagram: GearingDiagram });
