import { Chart, Diagram } from '~/features/products/Diagram';
import marks from '~/features/products/marks.module.css';
import { useMessages } from '~/lib/messages/messages';
import { useMoney } from '~/ui/money';
import { defineProductPage } from '../ProductPage';
import styles from '../ProductPage.module.css';
import {
  OPTION_PREMIUM,
  OPTION_STRIKE,
  type Option,
  optionBreakEven,
  optionPayoff,
} from './figures';

const [LOW, HIGH] = [40, 60];
const ZERO = 116;
const SCALE = 13;

/** The payoffs of a long call and a long put, with break-even. */
function PayoffDiagrams() {
  return (
    <div className={styles.diagrams}>
      <Payoff option="call" />
      <Payoff option="put" />
    </div>
  );
}

function Payoff({ option }: { option: Option }) {
  const money = useMoney();
  const t = useMessages('invest-us-options');
  const across = (price: number) => 20 + ((price - LOW) / (HIGH - LOW)) * 360;
  const up = (value: number) => ZERO - value * SCALE;
  const dollars = (value: number) => money(value, 'USD', { minDecimals: 0 });
  const even = optionBreakEven(option);
  const far = option === 'call' ? HIGH : LOW;
  const flat = option === 'call' ? LOW : HIGH;
  return (
    <Diagram
      height={188}
      title={t(`diagram.${option}`)}
      label={t(`diagram.${option}.label`, { strike: dollars(OPTION_STRIKE), even: dollars(even) })}
      caption={t(`diagram.${option}.caption`)}
    >
      <Chart>
        <path
          className={marks.wash}
          d={`M${across(even)} ${ZERO}L${across(far)} ${up(optionPayoff(option, far))}V${ZERO}z`}
        />
        <path
          className={marks.faint}
          d={`M${across(flat)} ${ZERO}V${up(-OPTION_PREMIUM)}H${across(OPTION_STRIKE)}L${across(even)} ${ZERO}z`}
        />
        <path className={marks.axis} d={`M10 ${ZERO}H390`} />
        <path
          className={marks.line}
          d={`M${across(flat)} ${up(-OPTION_PREMIUM)}H${across(OPTION_STRIKE)}L${across(far)} ${up(optionPayoff(option, far))}`}
        />
        <circle className={marks.accent} cx={across(even)} cy={ZERO} r={7} />
        <path
          className={marks.grid}
          d={`M${across(OPTION_STRIKE)} ${up(-OPTION_PREMIUM)}V${ZERO + 44}`}
        />
        <text className={`${marks.soft} ${marks.middle}`} x={across(OPTION_STRIKE)} y={ZERO + 62}>
          {t('diagram.strike', { price: dollars(OPTION_STRIKE) })}
        </text>
        <text
          className={`${marks.strong} ${option === 'call' ? marks.end : ''}`}
          x={across(even + (option === 'call' ? -0.7 : 0.7))}
          y={ZERO - 14}
        >
          {t('diagram.even', { price: dollars(even) })}
        </text>
        <text
          className={`${marks.text} ${option === 'call' ? '' : marks.end}`}
          x={across(flat)}
          y={up(-OPTION_PREMIUM) + 20}
        >
          {t('diagram.premium', { premium: dollars(OPTION_PREMIUM) })}
        </text>
        {/* On the side of the axis without the pay-off. */}
        <text
          className={`${marks.soft} ${marks.end}`}
          x={390}
          y={option === 'call' ? ZERO + 20 : ZERO - 14}
        >
          {t('diagram.price')}
        </text>
        <text
          className={`${marks.strong} ${marks.middle}`}
          x={across((even + 3 * far) / 4)}
          y={ZERO - 14}
        >
          {t('diagram.gain')}
        </text>
        <text
          className={`${marks.text} ${marks.middle}`}
          x={across((OPTION_STRIKE + flat) / 2)}
          y={ZERO + 18}
        >
          {t('diagram.loss')}
        </text>
      </Chart>
    </Diagram>
  );
}

/** The right to buy or sell, and its value at expiry. */
export default defineProductPage({ product: 'us-options', Diagram: PayoffDiagrams, wide: true });
