import { westernDigits } from '~/lib/format/digits';
import { type Decimal, decimal } from './decimal';

/** Why a typed number is invalid. */
export type InputProblem = 'missing' | 'unreadable' | 'zero' | 'parts' | 'large';

export type Read = { value: Decimal; problem?: never } | { value?: never; problem: InputProblem };

/** The rules of a number field. */
export interface InputRule {
  /** Maximum number of decimals; 0 for integers. */
  decimals: number;
  /** The maximum value. */
  max: number;
}

/**
 * Parses a typed number: Western, Arabic-Indic or Persian digits, a decimal separator of either
 * script, thousands separated by commas of either script or by spaces.
 */
export function readNumber(typed: string, { decimals, max }: InputRule): Read {
  const text = western(typed).trim();
  if (text === '') return { problem: 'missing' };
  const match = /^(\d+|\d{1,3}(?:[,\s]\d{3})+)(?:\.(\d*))?$/.exec(text);
  if (!match) return { problem: 'unreadable' };
  const [, whole = '', part = ''] = match;
  const kept = part.replace(/0+$/, '');
  if (kept.length > decimals) return { problem: 'parts' };
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  if (digits.length > 15) return { problem: 'large' };
  const value = decimal(kept ? `${digits}.${kept}` : digits);
  if (value === 0n) return { problem: 'zero' };
  return value > decimal(String(max)) ? { problem: 'large' } : { value };
}

/** Replaces Arabic and Persian digits and separators with Western ones; removes direction marks. */
function western(typed: string): string {
  return westernDigits(typed)
    .replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .replace(/٫/g, '.')
    .replace(/[٬،]/g, ',');
}
