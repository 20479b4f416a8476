import { describe, expect, it, test } from 'vitest';
import type { FeeScheduleJson } from '~/gen/sahm/config/v1/config_pb';
import { decimal, toText } from './decimal';
import { type OrderFees, optionsOrder, saudiOrder, usOrder } from './order';

/** The published fees. */
const SCHEDULE = {
  vatRate: '0.15',
  us: {
    commissionPerShare: '0.015',
    commissionMin: '1.99',
    commissionMaxRate: '0.015',
    settlementPerShare: '0.003',
    settlementMin: '0.01',
    secPerShare: '0.000166',
    secMin: '0.01',
    secMax: '8.30',
    catPerShare: '0.000048',
    catMin: '0.01',
    optionsPremiumThreshold: '0.1',
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
} as const satisfies FeeScheduleJson;

/** Made-up amounts that illustrate the rule. */
const WITH_OPTIONS: FeeScheduleJson = {
  ...SCHEDULE,
  us: { ...SCHEDULE.us, optionsPerContractAbove: '0.65', optionsPerContractAtMost: '0.25' },
};

function written(fees: OrderFees | undefined): string | undefined {
  return (
    fees && `${fees.lines.map(({ amount }) => toText(amount)).join(' ')} = ${toText(fees.total)}`
  );
}

describe('buying US shares: commission, settlement, CAT, VAT', () => {
  it.each([
    ['100', '20', '1.99 0.3 0.01 0.3 = 2.6'],
    ['1', '5', '0.08 0.01 0.01 0.01 = 0.11'],
    ['1000', '10', '15 3 0.05 2.25 = 20.3'],
    ['10000', '0.1', '15 30 0.48 2.25 = 47.73'],
    ['132', '1000', '1.99 0.4 0.01 0.3 = 2.7'],
    ['133', '1000', '2 0.4 0.01 0.3 = 2.71'],
  ])('%s shares at $%s: %s', (shares, price, lines) => {
    expect(written(usOrder(SCHEDULE, 'buy', decimal(shares), decimal(price)))).toBe(lines);
  });
});

describe('selling US shares: commission, settlement, SEC, CAT, VAT', () => {
  it.each([
    ['100', '20', '1.99 0.3 0.02 0.01 0.3 = 2.62'],
    ['1', '5', '0.08 0.01 0.01 0.01 0.01 = 0.12'],
    ['50000', '100', '750 150 8.3 2.4 112.5 = 1023.2'],
    ['100000', '100', '1500 300 8.3 4.8 225 = 2038.1'],
  ])('%s shares at $%s: %s', (shares, price, lines) => {
    expect(written(usOrder(SCHEDULE, 'sell', decimal(shares), decimal(price)))).toBe(lines);
  });
});

describe('a Saudi order: commission, regulator, exchange, settlement, clearing, VAT', () => {
  it.each([
    ['10000', '7.5 3 0.9 0.5 0.1 1.13 = 13.13'],
    ['1000', '0.32 0.3 0.09 0.05 0.01 0.05 = 0.82'],
    ['100000', '102 30 9 5 1 15.3 = 162.3'],
  ])('SAR %s: %s', (amount, lines) => {
    expect(written(saudiOrder(SCHEDULE, decimal(amount)))).toBe(lines);
  });

  it('has no discount after the promotion', () => {
    const { discountRate, discountCap, ...saudi } = SCHEDULE.saudi;
    const fees = saudiOrder({ ...SCHEDULE, saudi }, decimal('10000'));
    expect(written(fees)).toBe('10.5 3 0.9 0.5 0.1 1.58 = 16.58');
    expect(fees?.lines[0]?.working.discount).toBeUndefined();
  });
});

describe('US options: so much a contract, by the premium, and VAT', () => {
  it.each([
    ['1', '0.1', '0.25 0.04 = 0.29'],
    ['1', '0.11', '0.65 0.1 = 0.75'],
    ['10', '2.5', '6.5 0.98 = 7.48'],
  ])('%s contracts at $%s: %s', (contracts, premium, lines) => {
    expect(written(optionsOrder(WITH_OPTIONS, decimal(contracts), decimal(premium)))).toBe(lines);
  });

  it('is a hundred shares a contract', () => {
    const fees = optionsOrder(WITH_OPTIONS, decimal('2'), decimal('1.5'));
    expect(toText(fees?.amount ?? 0n)).toBe('300');
  });

  it('is absent if no fees are configured', () => {
    expect(optionsOrder(SCHEDULE, decimal('1'), decimal('1'))).toBeUndefined();
  });
});

describe('how a line comes about', () => {
  const commission = (shares: string, price: string) =>
    usOrder(SCHEDULE, 'buy', decimal(shares), decimal(price))?.lines[0]?.working;

  it.each([
    ['100', '20', 'least', '1.99'],
    ['1', '5', 'most', '0.075'],
    ['1000', '0.5', 'most', '7.5'],
  ])('%s shares at $%s: %s %s', (shares, price, kind, value) => {
    const { bound } = commission(shares, price) ?? {};
    expect(bound?.kind).toBe(kind);
    expect(toText(bound?.value ?? 0n)).toBe(value);
  });

  it('names no limit if none applies', () => {
    expect(commission('1000', '10')?.bound).toBeUndefined();
  });

  it.each([
    ['1000', '0.735', false],
    ['10000', '3', true],
  ])('SAR %s: a discount of %s, capped: %s', (amount, value, capped) => {
    const { discount } = saudiOrder(SCHEDULE, decimal(amount))?.lines[0]?.working ?? {};
    expect(toText(discount?.value ?? 0n)).toBe(value);
    expect(discount?.capped).toBe(capped);
  });
});

it('is absent if a fee is missing or invalid', () => {
  expect(usOrder({ vatRate: '0.15' }, 'buy', 1n, 1n)).toBeUndefined();
  expect(saudiOrder({ ...SCHEDULE, vatRate: 'x' }, decimal('1'))).toBeUndefined();
  const { secMax, ...us } = SCHEDULE.us;
  expect(usOrder({ ...SCHEDULE, us }, 'sell', 1n, 1n)).toBeUndefined();
});

describe('for any order', () => {
  /** A reproducible sequence of numbers below `bound` (mulberry32). */
  function* numbers(seed: number): Generator<(bound: number) => number> {
    let state = seed;
    const next = (bound: number) => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
    };
    for (let i = 0; i < 2_000; i++) yield next;
  }

  /** Divides whole numbers, rounding half up. */
  const half = (value: bigint, unit: bigint) => (value + unit / 2n) / unit;

  test('US lines equal an independent calculation in whole numbers', () => {
    for (const next of numbers(1)) {
      const [shares, cents] = [1 + next(200_000), 1 + next(100_000)];
      const price = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      const fees = usOrder(SCHEDULE, 'sell', decimal(String(shares)), decimal(price));
      // Millionths of a dollar.
      const n = BigInt(shares);
      const amount = n * BigInt(cents) * 10_000n;
      const max = (a: bigint, b: bigint) => (a > b ? a : b);
      const min = (a: bigint, b: bigint) => (a < b ? a : b);
      const exact = min(max(15_000n * n, 1_990_000n) * 1_000n, amount * 15n);
      const commission = half(exact, 10_000_000n);
      const expected = [
        commission,
        half(max(3_000n * n, 10_000n), 10_000n),
        half(min(max(166n * n, 10_000n), 8_300_000n), 10_000n),
        half(max(48n * n, 10_000n), 10_000n),
        half(commission * 15n, 100n),
      ];
      const lines = fees?.lines.map(({ amount }) => amount / 10n ** 10n);
      expect(lines, `${shares} at ${price}`).toEqual(expected);
    }
  });

  test('Saudi lines equal an independent calculation in whole numbers', () => {
    for (const next of numbers(2)) {
      const halalas = 1 + next(2_000_000_000);
      const amount = `${Math.floor(halalas / 100)}.${String(halalas % 100).padStart(2, '0')}`;
      const fees = saudiOrder(SCHEDULE, decimal(amount));
      // Ten-millionths of a halala.
      const n = BigInt(halalas);
      const full = n * 10_500n;
      const discount = (full * 7n) / 10n < 3_000_000_000n ? (full * 7n) / 10n : 3_000_000_000n;
      const commission = half(full - discount, 10_000_000n);
      const expected = [
        commission,
        half(n * 3_000n, 10_000_000n),
        half(n * 900n, 10_000_000n),
        half(n * 500n, 10_000_000n),
        half(n * 100n, 10_000_000n),
        half(commission * 15n, 100n),
      ];
      const lines = fees?.lines.map(({ amount }) => amount / 10n ** 10n);
      expect(lines, amount).toEqual(expected);
    }
  });

  test('the total is the sum of its lines, and no line is negative', () => {
    for (const next of numbers(3)) {
      const amount = decimal(String(next(10_000_000)));
      for (const fees of [
        saudiOrder(SCHEDULE, amount),
        usOrder(SCHEDULE, next(2) ? 'buy' : 'sell', amount, decimal(String(next(500)))),
      ]) {
        const lines = fees?.lines.map(({ amount }) => amount) ?? [];
        expect(lines.reduce((sum, line) => sum + line, 0n)).toBe(fees?.total);
        expect(lines.every((line) => line >= 0n)).toBe(true);
      }
    }
  });

  test('more shares never have lower fees', () => {
    for (const next of numbers(4)) {
      const [shares, price] = [1 + next(50_000), decimal(String(1 + next(900)))];
      const total = (count: number) =>
        usOrder(SCHEDULE, 'sell', decimal(String(count)), price)?.total ?? 0n;
      expect(total(shares + 1)).toBeGreaterThanOrEqual(total(shares));
    }
  });
});
