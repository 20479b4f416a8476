import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { type Decimal, decimal, max, min, times, toCents } from './decimal';

/** Shares per option contract; premiums are quoted per share. */
export const CONTRACT_SHARES = 100;

/** The fees of a Saudi order besides VAT, each a share of the amount. */
export const SAUDI_FEES = [
  'commission',
  'regulator',
  'exchange',
  'settlement',
  'clearing',
] as const;

export type Side = 'buy' | 'sell';

export type FeeName =
  | 'commission'
  | 'settlement'
  | 'regulator'
  | 'exchange'
  | 'clearing'
  | 'sec'
  | 'cat'
  | 'vat';

/** How a fee is calculated: `exact` is `count` × `rate`, unless `bound` applies. */
export interface Working {
  /** What is counted: shares, contracts, or the amount that `rate` applies to. */
  of: 'shares' | 'contracts' | 'amount' | 'commission';
  count: Decimal;
  rate: Decimal;
  exact: Decimal;
  /** The limit that applies instead of `exact`; `rate` if the limit is a share of the amount. */
  bound?: { kind: 'least' | 'most'; value: Decimal; rate?: Decimal };
  /** The discount, and whether its cap applied. */
  discount?: { rate: Decimal; value: Decimal; capped: boolean };
}

/** One fee of an order, rounded to the cent or halala. */
export interface FeeLine {
  name: FeeName;
  amount: Decimal;
  working: Working;
}

/** The total cost of an order besides its amount. */
export interface OrderFees {
  /** Price times shares. */
  amount: Decimal;
  lines: FeeLine[];
  total: Decimal;
}

/**
 * The fees of a US stock order in dollars; the SEC fee applies to sales only. Undefined if the
 * schedule lacks a needed value.
 */
export function usOrder(
  schedule: FeeScheduleJson,
  side: Side,
  shares: Decimal,
  price: Decimal,
): OrderFees | undefined {
  const { us = {}, vatRate } = schedule;
  return undefinedIfIncomplete(() => {
    const amount = times(shares, price);
    const perShare = (
      name: FeeName,
      rate: string | undefined,
      minFee: string | undefined,
      maxFee?: Decimal,
    ) => line(name, bounded('shares', shares, read(rate), read(minFee), maxFee));
    const maxRate = read(us.commissionMaxRate);
    const commission = capped(
      bounded('shares', shares, read(us.commissionPerShare), read(us.commissionMin)),
      times(maxRate, amount),
      maxRate,
    );
    return summed(amount, line('commission', commission), read(vatRate), [
      perShare('settlement', us.settlementPerShare, us.settlementMin),
      ...(side === 'sell' ? [perShare('sec', us.secPerShare, us.secMin, read(us.secMax))] : []),
      perShare('cat', us.catPerShare, us.catMin),
    ]);
  });
}

/**
 * The fees of a Saudi order of `amount` riyals, with the promotional discount on the commission if
 * the schedule has one. Purchases and sales cost the same.
 */
export function saudiOrder(schedule: FeeScheduleJson, amount: Decimal): OrderFees | undefined {
  const { saudi = {}, vatRate } = schedule;
  return undefinedIfIncomplete(() => {
    const [commission, ...others] = SAUDI_FEES.map((name) => {
      const rate = read(saudi[`${name}Rate`]);
      const working: Working = { of: 'amount', count: amount, rate, exact: times(rate, amount) };
      const { discountRate, discountCap } = name === 'commission' ? saudi : {};
      return line(name, discounted(working, discountRate, discountCap));
    });
    return commission && summed(amount, commission, read(vatRate), others);
  });
}

/**
 * The fees of a US options order in dollars: a fee per contract that depends on the premium per
 * share. Undefined if config sets no fees.
 */
export function optionsOrder(
  schedule: FeeScheduleJson,
  contracts: Decimal,
  premium: Decimal,
): OrderFees | undefined {
  const { us = {}, vatRate } = schedule;
  return undefinedIfIncomplete(() => {
    const isAbove = premium > read(us.optionsPremiumThreshold);
    const rate = read(isAbove ? us.optionsPerContractAbove : us.optionsPerContractAtMost);
    const amount = times(times(contracts, decimal(String(CONTRACT_SHARES))), premium);
    const commission: Working = {
      of: 'contracts',
      count: contracts,
      rate,
      exact: times(rate, contracts),
    };
    return summed(amount, line('commission', commission), read(vatRate), []);
  });
}

function line(name: FeeName, working: Working): FeeLine {
  const { exact, bound, discount } = working;
  return { name, amount: toCents((bound?.value ?? exact) - (discount?.value ?? 0n)), working };
}

/** A fee per unit, within limits. */
function bounded(
  of: Working['of'],
  count: Decimal,
  rate: Decimal,
  minFee: Decimal,
  maxFee?: Decimal,
): Working {
  const exact = times(rate, count);
  const working: Working = { of, count, rate, exact };
  const value = max(exact, minFee);
  if (value !== exact) working.bound = { kind: 'least', value };
  return maxFee === undefined ? working : capped(working, maxFee);
}

/** Caps a fee, including its minimum. */
function capped(working: Working, maxFee: Decimal, rate?: Decimal): Working {
  const value = min(working.bound?.value ?? working.exact, maxFee);
  if (value === (working.bound?.value ?? working.exact)) return working;
  return { ...working, bound: { kind: 'most', value, ...(rate === undefined ? {} : { rate }) } };
}

function discounted(working: Working, rate: string | undefined, cap: string | undefined): Working {
  if (!rate) return working;
  const full = times(read(rate), working.exact);
  const value = min(full, read(cap));
  return { ...working, discount: { rate: read(rate), value, capped: value !== full } };
}

function summed(
  amount: Decimal,
  commission: FeeLine,
  vatRate: Decimal,
  others: FeeLine[],
): OrderFees {
  const vat: Working = {
    of: 'commission',
    count: commission.amount,
    rate: vatRate,
    exact: times(vatRate, commission.amount),
  };
  const lines = [commission, ...others, line('vat', vat)];
  return { amount, lines, total: lines.reduce((sum, { amount }) => sum + amount, 0n) };
}

class MissingFeeError extends Error {}

function read(text: string | undefined): Decimal {
  if (!text) throw new MissingFeeError();
  return decimal(text);
}

/** The result; undefined if the schedule lacks a value or has an invalid one. */
function undefinedIfIncomplete<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof MissingFeeError || error instanceof RangeError) return undefined;
    throw error;
  }
}
