import { Box, Diagram, useX } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { defineProductPage } from '../ProductPage';

/** Example bid and ask prices of dealers. */
const DEALERS = [
  { bid: '1.00', ask: '1.10' },
  { bid: '0.97', ask: '1.12' },
  { bid: '0.98', ask: '1.15' },
] as const;

const BOOK = 34;
const OTC = 178;

/** On an exchange all orders meet in one book; over the counter each dealer quotes a price. */
function DealersDiagram() {
  const { locale } = usePage();
  const t = useMessages('invest-us-otc');
  const x = useX();
  const price = (text: string) => formatNumber(locale, text, { minimumFractionDigits: 2 });
  const pair = ({ bid, ask }: { bid: string; ask: string }) =>
    t('diagram.pair', { bid: price(bid), ask: price(ask) });
  return (
    <Diagram height={360} label={t('diagram.label')} caption={t('diagram.caption')}>
      <text className={marks.strong} x={x(0)} y={16}>
        {t('diagram.exchange')}
      </text>
      {[0, 1, 2].map((n) => {
        const y = BOOK + 16 + n * 36;
        return (
          <g key={n}>
            <path className={marks.axis} d={`M${x(28)} ${y}L${x(132)} ${BOOK + 52}`} />
            <path className={marks.axis} d={`M${x(372)} ${y}L${x(268)} ${BOOK + 52}`} />
            <circle className={marks.sand} cx={x(20)} cy={y} r={11} />
            <circle className={marks.deep} cx={x(380)} cy={y} r={11} />
          </g>
        );
      })}
      <Box className={marks.accent} at={130} y={BOOK + 24} width={140} height={56} rx={10} />
      <text className={`${marks.onAccent} ${marks.middle}`} x={x(200)} y={BOOK + 48}>
        {t('diagram.book')}
      </text>
      <text className={`${marks.onAccent} ${marks.middle}`} x={x(200)} y={BOOK + 67}>
        {pair({ bid: '1.04', ask: '1.05' })}
      </text>
      <path className={marks.grid} d={`M${x(0)} ${OTC - 24}H${x(400)}`} />
      <text className={marks.strong} x={x(0)} y={OTC + 4}>
        {t('diagram.otc')}
      </text>
      {DEALERS.map((dealer, n) => {
        const y = OTC + 44 + n * 50;
        return (
          <g key={dealer.bid}>
            <path
              className={n === 0 ? marks.line : marks.axis}
              d={`M${x(40)} ${OTC + 94}L${x(158)} ${y}`}
            />
            <Box className={marks.raised} at={158} y={y - 20} width={242} height={40} rx={8} />
            <text className={marks.text} x={x(170)} y={y + 5}>
              {t('diagram.dealer', { n: n + 1 })}
            </text>
            <text className={`${marks.soft} ${marks.end} ${marks.figure}`} x={x(390)} y={y + 5}>
              {pair(dealer)}
            </text>
          </g>
        );
      })}
      <circle className={marks.sand} cx={x(24)} cy={OTC + 94} r={14} />
      <text className={marks.soft} x={x(0)} y={OTC + 128}>
        {t('diagram.you')}
      </text>
    </Diagram>
  );
}

/** Trading between dealers, off exchange. */
export default defineProductPage({ product: 'us-otc', Diagram: DealersDiagram });
