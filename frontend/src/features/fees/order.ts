import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { type Decimal, decimal, least, most, times, toCents } from './decimal';

export type FeeName =
  | 'commission'
  | 'settlement'
  | 'regulator'
  | 'exchange'
  | 'clearing'
  | 'cat'
  | 'vat';

/** One line of an order's fees, rounded. */
export interface FeeLine {
  name: FeeName;
  amount: Decimal;
}

/** What an order costs beside its amount. */
export interface OrderFees {
  /** Price times shares. */
  amount: Decimal;
  lines: FeeLine[];
  total: Decimal;
  /** Commission before the promotion's discount, and the discount; zero where none applies. */
  fullCommission: Decimal;
  discount: Decimal;
}

/**
 * The fees of buying US shares (contract §10): the SEC fee is of sells only. Absent when the
 * schedule lacks a figure that it needs.
 */
export function usBuy(
  schedule: FeeScheduleJson,
  shares: Decimal,
  price: Decimal,
): OrderFees | undefined {
  const { us = {}, vatRate } = schedule;
  return whole(() => {
    const amount = times(shares, price);
    const commission = least(
      most(times(read(us.commissionPerShare), shares), read(us.commissionMin)),
      times(read(us.commissionMaxRate), amount),
    );
    const settlement = most(times(read(us.settlementPerShare), shares), read(us.settlementMin));
    const cat = most(times(read(us.catPerShare), shares), read(us.catMin));
    return summed(amount, commission, 0n, read(vatRate), [
      { name: 'settlement', amount: settlement },
      { name: 'cat', amount: cat },
    ]);
  });
}

/**
 * The fees of a Saudi order of `amount` riyals (contract §10), the promotion's discount taken off
 * the commission where the schedule has one.
 */
export function saudiOrder(schedule: FeeScheduleJson, amount: Decimal): OrderFees | undefined {
  const { saudi = {}, vatRate } = schedule;
  return whole(() => {
    const commission = times(read(saudi.commissionRate), amount);
    const discount = saudi.discountRate
      ? least(times(read(saudi.discountRate), commission), read(saudi.discountCap))
      : 0n;
    const part = (rate: string | undefined) => times(read(rate), amount);
    return summed(amount, commission, discount, read(vatRate), [
      { name: 'regulator', amount: part(saudi.regulatorRate) },
      { name: 'exchange', amount: part(saudi.exchangeRate) },
      { name: 'settlement', amount: part(saudi.settlementRate) },
      { name: 'clearing', amount: part(saudi.clearingRate) },
    ]);
  });
}

function summed(
  amount: Decimal,
  fullCommission: Decimal,
  discount: Decimal,
  vatRate: Decimal,
  others: FeeLine[],
): OrderFees {
  const commission = toCents(fullCommission - discount);
  const lines: FeeLine[] = [
    { name: 'commission', amount: commission },
    ...others.map(({ name, amount }) => ({ name, amount: toCents(amount) })),
    { name: 'vat', amount: toCents(times(vatRate, commission)) },
  ];
  const total = lines.reduce((sum, line) => sum + line.amount, 0n);
  return { amount, lines, total, fullCommission, discount };
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
