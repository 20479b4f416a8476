import { type Decimal, decimal } from './decimal';

/** Why a number that was typed is none. */
export type InputProblem = 'missing' | 'unreadable' | 'zero' | 'parts' | 'large';

export type Read = { value: Decimal; problem?: never } | { value?: never; problem: InputProblem };

/** What a field takes. */
export interface InputRule {
  /** Digits after the point; 0: whole numbers. */
  decimals: number;
  /** The greatest value. */
  most: number;
}

const ARABIC_ZERO = 0x0660;
const PERSIAN_ZERO = 0x06f0;

/**
 * Reads a number as people type it: Western, Arabic-Indic or Persian digits, a point of either
 * script, thousands set apart by commas of either script or by spaces.
 */
export function readNumber(typed: string, { decimals, most }: InputRule): Read {
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
  return value > decimal(String(most)) ? { problem: 'large' } : { value };
}

/** Western digits and marks for those of Arabic and Persian; direction marks left out. */
function western(typed: string): string {
  return typed
    .replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - ARABIC_ZERO))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - PERSIAN_ZERO))
    .replace(/٫/g, '.')
    .replace(/[٬،]/g, ',');
}
