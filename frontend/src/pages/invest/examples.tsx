import type { ComponentType } from 'react';
import { type Decimal, toText } from '~/features/fees/decimal';
import { CONTRACT_SHARES } from '~/features/fees/order';
import { marketOf, type Product } from '~/features/products/products';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { formatNumber, formatPercent } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Money } from '~/ui/Money';
import { useAmount, useMoney } from '~/ui/money';
import { ExampleTable } from './ExampleTable';
import tables from './ExampleTable.module.css';
import { feesOf, type SampleOrder } from './ProductFees';
import { SUKUK_FACE_VALUE, SUKUK_PAYMENT, SUKUK_PAYMENTS } from './saudi-suku-bonds/figures';
import { FUND_CHARGES, FUND_GROWTH, FUND_START, FUND_YEARS, fundValue } from './us-etfs/figures';
import { OPTION_PREMIUM, OPTION_STRIKE, type Option, optionPayoff } from './us-options/figures';
import {
  SHARE_PRICE,
  shareReturn,
  WARRANT_PRICE,
  WARRANT_STRIKE,
  warrantReturn,
} from './us-warrants/figures';

interface Worked {
  /** A calculation for the product. */
  Example: ComponentType<{ schedule: FeeScheduleJson | undefined }>;
  /** The example order for the fees; absent if the schedule has no fees for the product. */
  order?: SampleOrder;
}

const SAUDI_SHARES = { count: '200', price: '50' };
const US_SHARES = { count: '100', price: '40' };

export const EXAMPLES: Readonly<Record<Product, Worked>> = {
  'saudi-stocks': {
    Example: ({ schedule }) => (
      <RoundTrip
        product="saudi-stocks"
        schedule={schedule}
        order={SAUDI_SHARES}
        sold={['54', '46']}
      />
    ),
    order: SAUDI_SHARES,
  },
  'saudi-etfs': { Example: PremiumExample, order: { count: '500', price: '10.20' } },
  'saudi-reits': { Example: YieldExample, order: { count: '1000', price: '8' } },
  'saudi-suku-bonds': { Example: HoldingExample },
  'us-stocks': {
    Example: ({ schedule }) => (
      <RoundTrip product="us-stocks" schedule={schedule} order={US_SHARES} sold={['44', '36']} />
    ),
    order: US_SHARES,
  },
  'us-etfs': { Example: ChargeExample, order: { count: '20', price: '100' } },
  'us-options': { Example: ExpiryExample },
  'us-warrants': { Example: GearingExample, order: { count: '500', price: '3' } },
  'us-otc': { Example: SpreadExample, order: { count: '1000', price: '1.10' } },
};

/** A purchase and a sale at a higher or lower price: the result after all fees. */
function RoundTrip({
  product,
  schedule,
  order: { count, price },
  sold,
}: {
  product: Product;
  schedule: FeeScheduleJson | undefined;
  order: SampleOrder;
  /** Two sale prices: one higher, one lower. */
  sold: readonly [string, string];
}) {
  const money = useMoney();
  const amount = useAmount();
  const t = useMessages('invest-more');
  const unavailable = useMessages('fees');
  const isUs = marketOf(product) === 'us';
  const bought = schedule && feesOf(product, schedule, { count, price });
  const [higher, lower] = sold.map(
    (at) => schedule && feesOf(product, schedule, { count, price: at }, 'sell'),
  );
  if (!bought || !higher || !lower) return <p>{unavailable('unavailable')}</p>;
  // The head names the currency: on phones the cells have no room for it.
  const write = (value: Decimal) => amount(toText(value));
  const result = (value: Decimal) => (
    <span className={value < 0n ? tables.fall : tables.rise}>
      {amount(toText(value), { plus: true })}
    </span>
  );
  const both = [higher, lower];
  return (
    <ExampleTable
      captionHidden
      caption={t('round.caption', {
        count: Number(count),
        price: money(price, isUs ? 'USD' : 'SAR'),
      })}
      head={[
        t('round.head', { market: isUs ? 'us' : 'saudi' }),
        ...sold.map((at, i) =>
          t(i === 0 ? 'round.higher' : 'round.lower', { price: money(at, isUs ? 'USD' : 'SAR') }),
        ),
      ]}
      rows={[
        { name: t('round.bought'), cells: both.map(() => write(-bought.amount)) },
        { name: t('round.buying'), cells: both.map(() => write(-bought.total)) },
        { name: t('round.sold'), cells: both.map((order) => write(order.amount)) },
        { name: t('round.selling'), cells: both.map(({ total }) => write(-total)) },
        {
          name: t('round.left'),
          cells: both.map((order) =>
            result(order.amount - order.total - bought.amount - bought.total),
          ),
          sum: true,
        },
      ]}
    />
  );
}

const ETF_UNITS = 500;
/** The net asset value of a unit, and possible market prices. */
const ETF_VALUE = 10;
const ETF_PRICES = [9.9, 10, 10.2] as const;

/** A unit bought below, at and above its net asset value. */
function PremiumExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-saudi-etfs');
  // The caption names the currency: on phones four columns have no room for it.
  const riyals = (value: number, minDecimals = 0) =>
    formatNumber(locale, value, { minimumFractionDigits: minDecimals });
  const percent = (part: number) =>
    formatPercent(locale, part, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  return (
    <ExampleTable
      caption={t('example.caption', { units: ETF_UNITS, value: money(ETF_VALUE, 'SAR') })}
      head={[t('example.price'), ...ETF_PRICES.map((price) => riyals(price, 2))]}
      rows={[
        {
          name: t('example.paid'),
          cells: ETF_PRICES.map((price) => riyals(price * ETF_UNITS)),
        },
        {
          name: t('example.held'),
          cells: ETF_PRICES.map(() => riyals(ETF_VALUE * ETF_UNITS)),
        },
        {
          name: t('example.premium'),
          cells: ETF_PRICES.map((price) => percent(price / ETF_VALUE - 1)),
          sum: true,
        },
      ]}
    />
  );
}

const REIT_UNITS = 1_000;
const REIT_PRICE = 8;
/** The minimum share of net profit that is distributed. */
const REIT_PAYOUT = 0.9;
/** Net profit per unit: as planned, and after rents fell. */
const REIT_PROFITS = [0.6, 0.45] as const;

/** The yield of a fund as planned, and after rents fell. */
function YieldExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-saudi-reits');
  const riyals = (value: number) => (
    <Money value={value.toFixed(3)} currency="SAR" maxDecimals={3} />
  );
  const percent = (part: number) => formatPercent(locale, part, { maximumFractionDigits: 2 });
  return (
    <ExampleTable
      caption={t('example.caption', { units: REIT_UNITS, price: money(REIT_PRICE, 'SAR') })}
      head={[t('example.head'), t('example.planned'), t('example.vacant')]}
      rows={[
        { name: t('example.profit'), cells: REIT_PROFITS.map(riyals) },
        {
          name: t('example.payout', { part: formatPercent(locale, REIT_PAYOUT) }),
          cells: REIT_PROFITS.map((profit) => riyals(profit * REIT_PAYOUT)),
        },
        {
          name: t('example.yours'),
          cells: REIT_PROFITS.map((profit) => (
            <Money
              key={profit}
              value={(profit * REIT_PAYOUT * REIT_UNITS).toFixed(2)}
              currency="SAR"
            />
          )),
        },
        {
          name: t('example.yield'),
          cells: REIT_PROFITS.map((profit) => percent((profit * REIT_PAYOUT) / REIT_PRICE)),
          sum: true,
        },
      ]}
    />
  );
}

/** Prices as a percentage of face value. */
const SUKUK_PRICES = [97, 100, 103] as const;

/** A sukuk bought below, at and above face value and held to maturity. */
function HoldingExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-saudi-suku-bonds');
  // The caption names the currency: on phones four columns have no room for it.
  const riyals = (value: number) => formatNumber(locale, value);
  const paid = (price: number) => (SUKUK_FACE_VALUE * price) / 100;
  const periodic = SUKUK_PAYMENT * SUKUK_PAYMENTS;
  return (
    <ExampleTable
      caption={t('example.caption', {
        face: money(SUKUK_FACE_VALUE, 'SAR', { minDecimals: 0 }),
        count: SUKUK_PAYMENTS,
      })}
      head={[t('example.price'), ...SUKUK_PRICES.map((price) => `${price}%`)]}
      rows={[
        { name: t('example.paid'), cells: SUKUK_PRICES.map((price) => riyals(-paid(price))) },
        { name: t('example.periodic'), cells: SUKUK_PRICES.map(() => riyals(periodic)) },
        { name: t('example.principal'), cells: SUKUK_PRICES.map(() => riyals(SUKUK_FACE_VALUE)) },
        {
          name: t('example.left'),
          cells: SUKUK_PRICES.map((price) => riyals(periodic + SUKUK_FACE_VALUE - paid(price))),
          sum: true,
        },
      ]}
    />
  );
}

/** The value after five, ten and twenty years, by annual charge. */
function ChargeExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-us-etfs');
  const dollars = (value: number) =>
    money(Math.round(value), 'USD', { minDecimals: 0, maxDecimals: 0 });
  return (
    <ExampleTable
      caption={t('example.caption', {
        start: dollars(FUND_START),
        growth: formatPercent(locale, FUND_GROWTH),
      })}
      head={[t('example.charge'), ...FUND_CHARGES.map((charge) => formatPercent(locale, charge))]}
      rows={[5, 10, FUND_YEARS].map((years) => ({
        name: t('example.after', { years }),
        cells: FUND_CHARGES.map((charge) => dollars(fundValue(charge, years))),
        sum: years === FUND_YEARS,
      }))}
    />
  );
}

const OPTION_PRICES = [42, 48, 50, 52, 58] as const;
const WHOLE_AMOUNT = { minDecimals: 0, maxDecimals: 0 };

/** The result of a long contract at expiry, by share price. */
function ExpiryExample() {
  const money = useMoney();
  const amount = useAmount();
  const t = useMessages('invest-us-options');
  const dollars = (value: number) => money(value, 'USD', WHOLE_AMOUNT);
  const result = (option: Option, price: number) => {
    const gain = optionPayoff(option, price) * CONTRACT_SHARES;
    const text = amount(gain, { ...WHOLE_AMOUNT, plus: true });
    return gain > 0 ? <strong>{text}</strong> : text;
  };
  return (
    <ExampleTable
      caption={t('example.caption', {
        strike: dollars(OPTION_STRIKE),
        premium: dollars(OPTION_PREMIUM),
      })}
      head={[t('example.price'), t('example.call'), t('example.put')]}
      rows={OPTION_PRICES.map((price) => ({
        name: amount(price, WHOLE_AMOUNT),
        cells: [result('call', price), result('put', price)],
      }))}
    />
  );
}

const OTC_SHARES = 1_000;
/** Example bid and ask prices, on an exchange and between dealers. */
const OTC_SPREADS = [
  { key: 'exchange', bid: '1.04', ask: '1.05' },
  { key: 'otc', bid: '1.00', ask: '1.10' },
] as const;

/** The cost of the spread for a purchase with an immediate sale. */
function SpreadExample() {
  const { locale } = usePage();
  // The caption names the currency.
  const amount = useAmount();
  const t = useMessages('invest-us-otc');
  const cents = (price: string) => Math.round(Number(price) * 100);
  const dollars = (value: number) => amount(value.toFixed(2));
  return (
    <ExampleTable
      caption={t('example.caption', { shares: OTC_SHARES })}
      head={[t('example.head'), ...OTC_SPREADS.map(({ key }) => t(`example.${key}`))]}
      rows={[
        { name: t('example.bought'), cells: OTC_SPREADS.map(({ ask }) => amount(ask)) },
        { name: t('example.sold'), cells: OTC_SPREADS.map(({ bid }) => amount(bid)) },
        {
          name: t('example.lost'),
          cells: OTC_SPREADS.map(({ bid, ask }) =>
            dollars(((cents(bid) - cents(ask)) * OTC_SHARES) / 100),
          ),
        },
        {
          name: t('example.part'),
          cells: OTC_SPREADS.map(({ bid, ask }) =>
            formatPercent(locale, cents(bid) / cents(ask) - 1, { maximumFractionDigits: 1 }),
          ),
          sum: true,
        },
      ]}
    />
  );
}

const WARRANT_PRICES = [9, 12, 15, 18] as const;

/** The returns of a share and of a warrant on it, by share price at expiry. */
function GearingExample() {
  const { locale } = usePage();
  const money = useMoney();
  const t = useMessages('invest-us-warrants');
  const percent = (part: number) =>
    formatPercent(locale, part, { maximumFractionDigits: 0, signDisplay: 'exceptZero' });
  const dollars = (value: number) => money(value, 'USD', { minDecimals: 0 });
  return (
    <ExampleTable
      caption={t('example.caption', {
        share: dollars(SHARE_PRICE),
        exercise: dollars(WARRANT_STRIKE),
        warrant: dollars(WARRANT_PRICE),
      })}
      head={[t('example.price'), t('example.share'), t('example.warrant')]}
      rows={WARRANT_PRICES.map((price) => ({
        name: dollars(price),
        cells: [percent(shareReturn(price)), percent(warrantReturn(price))],
      }))}
    />
  );
}
