import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { type Decimal, decimal, least, most, times, toCents } from './decimal';

/** Shares that an option contract is about, for which its premium is quoted. */
export const CONTRACT_SHARES = 100;

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

/** How a line comes about: `count` times `rate` is `exact`, which a bound may take the place of. */
export interface Working {
  /** What is counted: shares, contracts, or the money that `rate` is a part of. */
  of: 'shares' | 'contracts' | 'amount' | 'commission';
  count: Decimal;
  rate: Decimal;
  exact: Decimal;
  /** The limit that holds instead of `exact`; `rate` where it is itself a part of the amount. */
  bound?: { kind: 'least' | 'most'; value: Decimal; rate?: Decimal };
  /** What is taken off, and whether the discount's cap decided it. */
  discount?: { rate: Decimal; value: Decimal; capped: boolean };
}

/** One line of an order's fees, rounded to the cent or halala. */
export interface FeeLine {
  name: FeeName;
  amount: Decimal;
  working: Working;
}

/** What an order costs beside its amount. */
export interface OrderFees {
  /** Price times shares. */
  amount: Decimal;
  lines: FeeLine[];
  total: Decimal;
}

/**
 * The fees of an order of US shares in dollars; the SEC fee is of sells only. Absent
 * when the schedule lacks a figure that it needs.
 */
export function usOrder(
  schedule: FeeScheduleJson,
  side: Side,
  shares: Decimal,
  price: Decimal,
): OrderFees | undefined {
  const { us = {}, vatRate } = schedule;
  return whole(() => {
    const amount = times(shares, price);
    const perShare = (
      name: FeeName,
      rate: string | undefined,
      min: string | undefined,
      max?: Decimal,
    ) => line(name, bounded('shares', shares, read(rate), read(min), max));
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
 * The fees of a Saudi order of `amount` riyals, the promotion's discount taken off
 * the commission where the schedule has one. Buying and selling cost the same.
 */
export function saudiOrder(schedule: FeeScheduleJson, amount: Decimal): OrderFees | undefined {
  const { saudi = {}, vatRate } = schedule;
  return whole(() => {
    const part = (name: FeeName, rate: string | undefined) =>
      line(name, {
        of: 'amount',
        count: amount,
        rate: read(rate),
        exact: times(read(rate), amount),
      });
    const { working } = part('commission', saudi.commissionRate);
    const commission = line(
      'commission',
      discounted(working, saudi.discountRate, saudi.discountCap),
    );
    return summed(amount, commission, read(vatRate), [
      part('regulator', saudi.regulatorRate),
      part('exchange', saudi.exchangeRate),
      part('settlement', saudi.settlementRate),
      part('clearing', saudi.clearingRate),
    ]);
  });
}

/**
 * The fees of an order of US options at a premium a share, in dollars: so much a contract, by the
 * premium. Absent while config sets no figures.
 */
export function optionsOrder(
  schedule: FeeScheduleJson,
  contracts: Decimal,
  premium: Decimal,
): OrderFees | undefined {
  const { us = {}, vatRate } = schedule;
  return whole(() => {
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

/** So much a unit, within limits. */
function bounded(
  of: Working['of'],
  count: Decimal,
  rate: Decimal,
  min: Decimal,
  max?: Decimal,
): Working {
  const exact = times(rate, count);
  const working: Working = { of, count, rate, exact };
  const value = most(exact, min);
  if (value !== exact) working.bound = { kind: 'least', value };
  return max === undefined ? working : capped(working, max);
}

/** Nothing above a limit, the least that a working has included. */
function capped(working: Working, max: Decimal, rate?: Decimal): Working {
  const value = least(working.bound?.value ?? working.exact, max);
  if (value === (working.bound?.value ?? working.exact)) return working;
  return { ...working, bound: { kind: 'most', value, ...(rate === undefined ? {} : { rate }) } };
}

function discounted(working: Working, rate: string | undefined, cap: string | undefined): Working {
  if (!rate) return working;
  const full = times(read(rate), working.exact);
  const value = least(full, read(cap));
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

class Missing extends Error {}

function read(text: string | undefined): Decimal {
  if (!text) throw new Missing();
  return decimal(text);
}

/** The result, or nothing where the schedule lacks a figure or holds one that is no decimal. */
function whole<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof Missing || error instanceof RangeError) return undefined;
    throw error;
  }
}
