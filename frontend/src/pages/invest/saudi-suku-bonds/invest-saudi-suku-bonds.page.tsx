import { Chart, Diagram, LegendEntry } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { defineProductPage } from '../ProductPage';
import { SUKUK_FACE_VALUE, SUKUK_PAYMENT, SUKUK_PAYMENTS } from './figures';

const AXIS = 176;
const FIRST = 34;
const STEP = 55;
const BAR = 30;

/** A holder's payments along a time line in years. */
function PaymentsDiagram() {
  const { locale } = usePage();
  const t = useMessages('invest-saudi-suku-bonds');
  const number = (value: number) => formatNumber(locale, value);
  const at = (period: number) => FIRST + period * STEP;
  const bar = (className: string | undefined, period: number, y: number, height: number) => (
    <rect className={className} x={at(period) - BAR / 2} y={y} width={BAR} height={height} rx={3} />
  );
  return (
    <Diagram height={330} label={t('diagram.label')} caption={t('diagram.caption')}>
      <Chart>
        <path className={marks.axis} d={`M4 ${AXIS}H396`} />
        {/* Payments go down and receipts go up; the principal's bars are not to scale. */}
        {bar(marks.deep, 0, AXIS + 2, 104)}
        <text className={`${marks.strong} ${marks.figure}`} x={at(0) + 24} y={AXIS + 78}>
          {number(SUKUK_FACE_VALUE)}
        </text>
        <text className={marks.soft} x={at(0) + 24} y={AXIS + 98}>
          {t('diagram.paid')}
        </text>
        {Array.from({ length: SUKUK_PAYMENTS }, (_, i) => i + 1).map((period) => {
          const isLast = period === SUKUK_PAYMENTS;
          return (
            <g key={period}>
              {isLast && bar(marks.accent, period, AXIS - 138, 104)}
              {bar(marks.sand, period, AXIS - 32, 30)}
              {!isLast && (
                <text
                  className={`${marks.soft} ${marks.middle} ${marks.figure}`}
                  x={at(period)}
                  y={AXIS - 40}
                >
                  {number(SUKUK_PAYMENT)}
                </text>
              )}
              {period % 2 === 0 && (
                <text className={`${marks.soft} ${marks.middle}`} x={at(period)} y={AXIS + 22}>
                  {t('diagram.year', { year: period / 2 })}
                </text>
              )}
            </g>
          );
        })}
        <text className={`${marks.strong} ${marks.end} ${marks.figure}`} x={396} y={AXIS - 146}>
          {t('diagram.last', { face: number(SUKUK_FACE_VALUE), payment: number(SUKUK_PAYMENT) })}
        </text>
      </Chart>
      <LegendEntry className={marks.sand} at={0} y={304}>
        {t('diagram.periodic')}
      </LegendEntry>
      <LegendEntry className={marks.accent} at={210} y={304}>
        {t('diagram.principal')}
      </LegendEntry>
    </Diagram>
  );
}

/** Payments on fixed dates, and the principal at maturity. */
export default defineProductPage({ product: 'saudi-suku-bonds', Diagram: PaymentsDiagram });
