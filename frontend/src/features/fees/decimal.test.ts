import { describe, expect, it } from 'vitest';
import { decimal, times, toCents, toText } from './decimal';

describe('decimal', () => {
  it.each([
    ['0.00105', '0.00105'],
    ['8.30', '8.3'],
    ['2000', '2000'],
    ['-0.5', '-0.5'],
    ['0', '0'],
  ])('reads %s as %s', (text, written) => {
    expect(toText(decimal(text))).toBe(written);
  });

  it.each(['', '1e3', '1.', '.5', ' 1', '1,000', 'NaN'])('refuses %j', (text) => {
    expect(() => decimal(text)).toThrow(RangeError);
  });
});

describe('toCents', () => {
  it.each([
    ['0.005', '0.01'],
    ['0.0049', '0'],
    ['0.2985', '0.3'],
    ['2.205', '2.21'],
    ['1.125', '1.13'],
    ['-0.005', '0'],
    ['-0.0051', '-0.01'],
    ['3', '3'],
  ])('%s is %s', (exact, rounded) => {
    expect(toText(toCents(decimal(exact)))).toBe(rounded);
  });
});

it('multiplies exactly where floating-point numbers do not', () => {
  expect(toText(times(decimal('0.1'), decimal('0.2')))).toBe('0.02');
  expect(toText(times(decimal('1.15'), decimal('100')))).toBe('115');
});
