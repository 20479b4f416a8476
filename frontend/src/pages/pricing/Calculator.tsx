import { useState } from 'react';
import { type Decimal, decimal, times, toText } from '~/features/fees/decimal';
import { FeeAmount } from '~/features/fees/FeeAmount';
import { FeeSplit } from '~/features/fees/FeeSplit';
import { type InputProblem, type InputRule, readNumber } from '~/features/fees/input';
import {
  CONTRACT_SHARES,
  type OrderFees,
  optionsOrder,
  type Side,
  saudiOrder,
  usOrder,
} from '~/features/fees/order';
import { useFeeSteps } from '~/features/fees/useFeeSteps';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { useMessages } from '~/lib/messages/messages';
import { Field } from '~/ui/form/Field';
import headings from '~/ui/headings.module.css';
import { Money } from '~/ui/Money';
import { type Currency, useMoney } from '~/ui/money';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import styles from './Calculator.module.css';
import page from './PricingPage.module.css';

type Kind = 'saudi' | 'us' | 'options';

interface KindOfOrder {
  /** Initial values of the fields. */
  count: string;
  price: string;
  currency: Currency;
  /** Decimals of the price. */
  decimals: number;
  /** Counts of the example orders, at the price above. */
  presets: readonly string[];
  /** Shares per unit of the count. */
  shares: number;
}

const KINDS: Readonly<Record<Kind, KindOfOrder>> = {
  saudi: {
    count: '400',
    price: '25.00',
    currency: 'SAR',
    decimals: 2,
    presets: ['40', '400', '2000'],
    shares: 1,
  },
  us: {
    count: '100',
    price: '20.00',
    currency: 'USD',
    decimals: 4,
    presets: ['25', '100', '500'],
    shares: 1,
  },
  options: {
    count: '1',
    price: '2.00',
    currency: 'USD',
    decimals: 2,
    presets: ['1', '5', '20'],
    shares: CONTRACT_SHARES,
  },
};

const COUNT_RULE: InputRule = { decimals: 0, max: 10_000_000 };
const MAX_PRICE = 1_000_000;

interface Order {
  kind: Kind;
  side: Side;
  count: string;
  price: string;
}

/** Calculates the fees of an order; starts with an example, also without scripts. */
export function Calculator({ schedule }: { schedule: FeeScheduleJson }) {
  const t = useMessages('pricing');
  const [order, setOrder] = useState<Order>({ kind: 'saudi', side: 'buy', ...example('saudi') });
  /** The last valid order, whose result stays in place while the input is invalid. */
  const [readable, setReadable] = useState(order);
  const [changed, setChanged] = useState(false);
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) =>
    feesOf(schedule, kind, 'buy', UNIT_AMOUNT, UNIT_AMOUNT),
  );
  const change = (part: Partial<Order>) => {
    const next = { ...order, ...part };
    const read = readOrder(next);
    setOrder(next);
    if (read.count.value && read.price.value) setReadable(next);
    setChanged(true);
  };
  const { kind, side } = order;
  const { count, price } = readOrder(order);
  const fees = orderFees(schedule, readable);
  const problem = count.problem ?? price.problem;
  const { decimals } = KINDS[kind];
  const fields = [
    {
      name: 'count',
      label: t(kind === 'options' ? 'calculator.contracts' : 'calculator.shares'),
      inputMode: 'numeric',
      error: count.problem && t(`problem.count.${count.problem}`),
    },
    {
      name: 'price',
      label: t(`calculator.price.${kind}`),
      inputMode: 'decimal',
      error: price.problem && t(`problem.price.${price.problem}`, { decimals }),
    },
  ] as const;
  return (
    <Section className={styles.calculator} aria-labelledby="calculator">
      <div className={styles.form}>
        <h2 id="calculator" className={`${headings.small} ${page.title}`}>
          {t('calculator.title')}
        </h2>
        <noscript>
          <p className={styles.noscript}>{t('calculator.noscript')}</p>
        </noscript>
        <Choice
          legend={t('calculator.kind')}
          name="kind"
          options={kinds.map((value) => ({ value, text: t(`kind.${value}`) }))}
          chosen={kind}
          choose={(value) => change({ kind: value, ...example(value) })}
        />
        <Choice
          legend={t('calculator.side')}
          name="side"
          options={(['buy', 'sell'] as const).map((value) => ({ value, text: t(`side.${value}`) }))}
          chosen={side}
          choose={(value) => change({ side: value })}
        />
        <Presets order={order} choose={change} />
        <div className={styles.numbers}>
          {fields.map(({ name, label, inputMode, error }) => (
            <Field key={name} name={name} label={label} error={error}>
              {(control) => (
                <input
                  {...control}
                  className={`${control.className} ${styles.input}`}
                  type="text"
                  dir="ltr"
                  inputMode={inputMode}
                  autoComplete="off"
                  maxLength={24}
                  value={order[name]}
                  onChange={({ target }) => change({ [name]: target.value })}
                />
              )}
            </Field>
          ))}
        </div>
      </div>
      {fees && (
        <div className={problem && styles.unreadable}>
          <OrderTotal order={readable} fees={fees} />
        </div>
      )}
      <Result order={readable} fees={fees} problem={problem} announce={changed} />
    </Section>
  );
}

const UNIT_AMOUNT = decimal('1');

function readOrder({ kind, count, price }: Order) {
  return {
    count: readNumber(count, COUNT_RULE),
    price: readNumber(price, { decimals: KINDS[kind].decimals, max: MAX_PRICE }),
  };
}

function orderFees(schedule: FeeScheduleJson, order: Order): OrderFees | undefined {
  const { count, price } = readOrder(order);
  if (!count.value || !price.value) return undefined;
  return feesOf(schedule, order.kind, order.side, count.value, price.value);
}

function example(kind: Kind): Pick<Order, 'count' | 'price'> {
  const { count, price } = KINDS[kind];
  return { count, price };
}

function feesOf(
  schedule: FeeScheduleJson,
  kind: Kind,
  side: Side,
  count: Decimal,
  price: Decimal,
): OrderFees | undefined {
  if (kind === 'saudi') return saudiOrder(schedule, times(count, price));
  if (kind === 'us') return usOrder(schedule, side, count, price);
  return optionsOrder(schedule, count, price);
}

function Choice<T extends string>({
  legend,
  name,
  options,
  chosen,
  choose,
}: {
  legend: string;
  name: string;
  options: { value: T; text: string }[];
  chosen: T;
  choose(value: T): void;
}) {
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.label}>{legend}</legend>
      <div className={styles.segments}>
        {options.map(({ value, text }) => (
          <label key={value} className={styles.option}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              onChange={() => choose(value)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** Example orders that show how fees grow. */
function Presets({
  order: { kind, count, price },
  choose,
}: {
  order: Order;
  choose(part: Pick<Order, 'count' | 'price'>): void;
}) {
  const t = useMessages('pricing');
  const { presets, shares, currency, price: presetPrice } = KINDS[kind];
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.label}>{t('calculator.presets')}</legend>
      <div className={styles.options}>
        {presets.map((preset) => (
          <button
            key={preset}
            type="button"
            className={styles.preset}
            aria-pressed={preset === count && presetPrice === price}
            onClick={() => choose({ count: preset, price: presetPrice })}
          >
            <Money
              value={Number(preset) * shares * Number(presetPrice)}
              currency={currency}
              minDecimals={0}
            />
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function Result({
  order,
  fees,
  problem,
  announce,
}: {
  order: Order;
  fees: OrderFees | undefined;
  problem: InputProblem | undefined;
  announce: boolean;
}) {
  const money = useMoney();
  const t = useMessages('pricing');
  const { currency } = KINDS[order.kind];
  const total = fees && money(toText(fees.total), currency);
  return (
    <div className={styles.result}>
      {fees && (
        <div className={problem && styles.unreadable}>
          <Split order={order} fees={fees} />
        </div>
      )}
      {(problem || !fees) && <p className={styles.none}>{t('result.none')}</p>}
      <p role="status" className="visually-hidden">
        {announce && !problem && (total ? t('result.status', { total }) : t('result.none'))}
      </p>
    </div>
  );
}

function Split({ order: { kind, side }, fees }: { order: Order; fees: OrderFees }) {
  const t = useMessages('pricing');
  const { currency } = KINDS[kind];
  const steps = useFeeSteps(fees, currency);
  return (
    <FeeSplit
      kicker={`${t(`kind.${kind}`)} · ${t(`side.${side}`)}`}
      title={t.rich('result.amount', {
        amount: <FeeAmount value={fees.amount} currency={currency} ofOrder />,
      })}
      fees={fees}
      currency={currency}
      rates={steps}
    />
  );
}

/** What the client pays or receives: the order's amount with its fees. */
function OrderTotal({ order: { kind, side }, fees }: { order: Order; fees: OrderFees }) {
  const t = useMessages('pricing');
  const isPurchase = side === 'buy';
  const amount = isPurchase ? fees.amount + fees.total : fees.amount - fees.total;
  return (
    <p className={`${rows.apart} ${styles.orderTotal}`}>
      <span>{t(isPurchase ? 'result.pay' : 'result.receive')}</span>
      <Money value={toText(amount)} currency={KINDS[kind].currency} />
    </p>
  );
}
