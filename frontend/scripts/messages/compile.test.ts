import { describe, expect, test } from 'vitest';
import type { Locale } from '../../src/lib/locale.ts';
import { type Formatters, formattersOf } from '../../src/lib/messages/formatters.ts';
import { compileMessage } from './compile.ts';

type CompiledMessage = string | ((values: object, format: Formatters) => string);

function format(locale: Locale, message: string, values: object = {}): string {
  const made = new Function(`return ${compileMessage(message)}`)() as CompiledMessage;
  return typeof made === 'string' ? made : made(values, formattersOf(locale));
}

const ARTICLES =
  '{n, plural, zero {لا مقالات} one {مقال واحد} two {مقالان} few {# مقالات} many {# مقالًا} other {# مقال}}';

describe('a compiled message', () => {
  test('without values is its text', () => {
    expect(compileMessage("It''s '{a}' <b>")).toBe(JSON.stringify("It's {a} <b>"));
  });

  test('leaves out a form with the text of the default', () => {
    const message = '{n, plural, zero {# يوم} one {يوم} other {# يوم}}';
    expect(compileMessage(message)).not.toContain('zero');
    expect(format('ar-sa', message, { n: 0 })).toBe('0 يوم');
  });

  test.each([
    [0, 'لا مقالات'],
    [1, 'مقال واحد'],
    [2, 'مقالان'],
    [3, '3 مقالات'],
    [10, '10 مقالات'],
    [11, '11 مقالًا'],
    [99, '99 مقالًا'],
    [100, '100 مقال'],
    [1_003, '1,003 مقالات'],
  ])('has the Arabic form of %d', (n, expected) => {
    expect(format('ar-sa', ARTICLES, { n })).toBe(expected);
  });

  test.each([
    ['{a} and {b}', { a: 'x', b: 2 }, 'x and 2'],
    ['{n, plural, =0 {none} one {# day} other {# days}} left', { n: 0 }, 'none left'],
    ['{n, plural, =0 {none} one {# day} other {# days}} left', { n: 1 }, '1 day left'],
    [
      '{n, plural, offset:1 one {you and # other} other {you and # others}}',
      { n: 2 },
      'you and 1 other',
    ],
    ['{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { n: 22 }, '22nd'],
    ['{m, select, us {US {n, number}} other {all}}', { m: 'us', n: 1234.5 }, 'US 1,234.5'],
    ['{m, select, us {US} other {all}}', { m: 'x' }, 'all'],
    ['{r, number, percent}', { r: 0.15 }, '15%'],
    ['{r, number, ::.00}', { r: 3 }, '3.00'],
    ['{t, date, ::yMMMMd}', { t: 0 }, '1\u00a0January 1970'],
  ])('%s', (message, values, expected) => {
    expect(format('en-us', message, values)).toBe(expected);
  });

  test.each([
    ['خصم 70% من العمولة', 'خصم \u200e70% من العمولة'],
    ['بين 0.105% و{rate}', 'بين \u200e0.105% و7'],
    ['70% off', '70% off'],
    ['خصم 70%. 30 يومًا', 'خصم \u200e70%\u200f. 30 يومًا'],
    ['نحو 12.5% YoY', 'نحو \u200e12.5%\u200f YoY'],
    ['تغير +1.2% (-0.5%)', 'تغير \u200e+1.2%\u200f (\u200e-0.5%)'],
    ['سعره $1,234.50، أو 5$', 'سعره \u200e$1,234.50، أو \u200e5$'],
    ['التسوية T+2 بعد 30 يومًا', 'التسوية T+2 بعد 30 يومًا'],
    ['السعر US$5 و2026-11-21', 'السعر US$5 و2026-11-21'],
    ['رقم \u200e30%', 'رقم \u200e30%'],
  ])('keeps signs on their sides of the number: %s', (message, expected) => {
    expect(format('ar-sa', message, { rate: 7 })).toBe(expected);
  });
});

test('figures of a message are joined with their units, inserted ones too', () => {
  expect(format('en-us', 'SAR {n} of SAR 5', { n: 4 })).toBe('SAR\u00a04 of SAR\u00a05');
  expect(format('ar-sa', '{n} ريال', { n: 4 })).toBe('4\u00a0ريال');
});

test('a value that a message takes and is not given fails outside a built page', () => {
  expect(() => format('en-us', '{missing}!', {})).toThrow('no value');
  expect(() => format('en-us', '{missing, number}', {})).toThrow('no value');
});
