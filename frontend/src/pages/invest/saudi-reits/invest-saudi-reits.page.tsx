import { Box, Diagram, useX, WIDTH } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { defineProductPage } from '../ProductPage';

/** Where a hundred riyals of rent go, step by step. */
const STEPS = [
  [{ key: 'rent', amount: 100, className: marks.sand }],
  [
    { key: 'profit', amount: 70, className: marks.accent },
    { key: 'costs', amount: 30, className: marks.shape },
  ],
  [
    { key: 'holders', amount: 63, className: marks.accent },
    { key: 'kept', amount: 7, className: marks.deep },
  ],
] as const;

const ROW = 96;
const BAR = 40;
const SCALE = WIDTH / 100;

/** Rent minus the buildings' costs is profit; at least 90 % of it is distributed. */
function RentDiagram() {
  const { locale } = usePage();
  const t = useMessages('invest-saudi-reits');
  const x = useX();
  return (
    <Diagram height={ROW * 2 + BAR + 34} label={t('diagram.label')} caption={t('diagram.caption')}>
      {STEPS.map((parts, row) => {
        const y = 26 + row * ROW;
        let place = 0;
        const previous = STEPS[row - 1]?.[0];
        const whole = parts.reduce((sum, { amount }) => sum + amount, 0) * SCALE;
        return (
          <g key={parts[0].key}>
            {previous && (
              <path
                className={marks.wash}
                d={`M${x(0)} ${y - ROW + BAR}H${x(whole)}V${y}H${x(0)}z`}
              />
            )}
            {parts.map(({ key, amount, className }) => {
              const begins = place;
              const width = amount * SCALE;
              place += width;
              const isSlim = width < 60;
              return (
                <g key={key}>
                  <text
                    className={isSlim ? `${marks.soft} ${marks.middle}` : marks.strong}
                    x={isSlim ? x(begins + width / 2 + 12) : x(begins)}
                    y={y - 7}
                  >
                    {t(`diagram.${key}`)}
                  </text>
                  <Box
                    className={className}
                    at={begins}
                    y={y}
                    width={width - 2}
                    height={BAR}
                    rx={4}
                  />
                  <text
                    className={`${className === marks.shape ? marks.text : marks.onAccent} ${marks.figure} ${marks.middle}`}
                    x={x(begins + width / 2)}
                    y={y + BAR / 2 + 5}
                  >
                    {isSlim ? '' : formatNumber(locale, amount)}
                  </text>
                  {isSlim && (
                    <text
                      className={`${marks.text} ${marks.figure}`}
                      x={x(begins + width + 6)}
                      y={y + BAR / 2 + 5}
                    >
                      {formatNumber(locale, amount)}
                    </text>
                  )}
                </g>
              );
            })}
          </g>
        );
      })}
    </Diagram>
  );
}

/** Rent and distributions. */
export default defineProductPage({ product: 'saudi-reits', Diagram: RentDiagram });
