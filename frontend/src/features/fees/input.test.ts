import { describe, expect, it } from 'vitest';
import { toText } from './decimal';
import { readNumber } from './input';

const PRICE = { decimals: 4, max: 1_000_000 };
const SHARES = { decimals: 0, max: 10_000_000 };

describe('readNumber', () => {
  it.each([
    ['100', '100'],
    ['007', '7'],
    [' 25.40 ', '25.4'],
    ['25.', '25'],
    ['1,000', '1000'],
    ['12,345.67', '12345.67'],
    ['1 000 000', '1000000'],
    ['1\u00a0000', '1000'],
    ['١٢٣', '123'],
    ['٢٥٫٤٠', '25.4'],
    ['١٬٠٠٠٫٥', '1000.5'],
    ['١،٠٠٠', '1000'],
    ['۲۵٫۴', '25.4'],
    ['\u200f١٠٠\u200f', '100'],
    ['٢5', '25'],
  ])('%j is %s', (typed, value) => {
    const read = readNumber(typed, PRICE);
    expect(read.problem).toBeUndefined();
    expect(toText(read.value ?? -1n)).toBe(value);
  });

  it.each([
    ['', 'missing'],
    ['  ', 'missing'],
    ['abc', 'unreadable'],
    ['-5', 'unreadable'],
    ['1e3', 'unreadable'],
    ['1,00', 'unreadable'],
    ['1,0000', 'unreadable'],
    ['1.2.3', 'unreadable'],
    ['.5', 'unreadable'],
    ['0', 'zero'],
    ['0.00', 'zero'],
    ['1.23456', 'parts'],
    ['1000001', 'large'],
    ['9'.repeat(40), 'large'],
  ])('%j is %s', (typed, problem) => {
    expect(readNumber(typed, PRICE)).toEqual({ problem });
  });

  it('accepts only whole numbers for shares', () => {
    expect(readNumber('1.5', SHARES)).toEqual({ problem: 'parts' });
    expect(readNumber('1.0', SHARES).value).toBeDefined();
  });
});
