import { describe, expect, it } from 'vitest';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { decimal, toText } from './decimal';
import { type OrderFees, saudiOrder, usBuy } from './order';

/** Specification §9 'Fees'. */
const SCHEDULE: FeeScheduleJson = {
  vatRate: '0.15',
  us: {
    commissionPerShare: '0.015',
    commissionMin: '1.99',
    commissionMaxRate: '0.015',
    settlementPerShare: '0.003',
    settlementMin: '0.01',
    catPerShare: '0.000048',
    catMin: '0.01',
  },
  saudi: {
    commissionRate: '0.00105',
    discountRate: '0.70',
    discountCap: '3',
    regulatorRate: '0.00030',
    exchangeRate: '0.00009',
    settlementRate: '0.00005',
    clearingRate: '0.00001',
  },
};

function written(fees: OrderFees | undefined): string | undefined {
  return (
    fees && `${fees.lines.map(({ amount }) => toText(amount)).join(' ')} = ${toText(fees.total)}`
  );
}

describe('usBuy: commission, settlement, CAT, VAT', () => {
  it.each([
    ['100', '20', '1.99 0.3 0.01 0.3 = 2.6'],
    ['1', '5', '0.08 0.01 0.01 0.01 = 0.11'],
    ['1000', '10', '15 3 0.05 2.25 = 20.3'],
    ['10000', '0.1', '15 30 0.48 2.25 = 47.73'],
    ['0.5', '200', '1.5 0.01 0.01 0.23 = 1.75'],
  ])('%s shares at $%s: %s', (shares, price, lines) => {
    expect(written(usBuy(SCHEDULE, decimal(shares), decimal(price)))).toBe(lines);
  });
});

describe('saudiOrder: commission, regulator, exchange, settlement, clearing, VAT', () => {
  it.each([
    ['10000', '7.5 3 0.9 0.5 0.1 1.13 = 13.13'],
    ['1000', '0.32 0.3 0.09 0.05 0.01 0.05 = 0.82'],
    ['100000', '102 30 9 5 1 15.3 = 162.3'],
  ])('SAR %s: %s', (amount, lines) => {
    expect(written(saudiOrder(SCHEDULE, decimal(amount)))).toBe(lines);
  });

  it('has no discount where the promotion is over', () => {
    const { discountRate, discountCap, ...saudi } = SCHEDULE.saudi ?? {};
    const fees = saudiOrder({ ...SCHEDULE, saudi }, decimal('10000'));
    expect(written(fees)).toBe('10.5 3 0.9 0.5 0.1 1.58 = 16.58');
  });
});

it('is absent where a figure is missing or unreadable', () => {
  expect(usBuy({ vatRate: '0.15' }, 1n, 1n)).toBeUndefined();
  expect(saudiOrder({ ...SCHEDULE, vatRate: 'x' }, decimal('1'))).toBeUndefined();
});
