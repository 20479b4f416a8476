import {
  CODE_DIGITS,
  PASSWORD_LEAST,
  PASSWORD_MOST,
  SAUDI_MOBILE_DIGITS,
  TEL_CODE_DEFAULT,
} from '~/lib/constants';
import { westernDigits } from '~/lib/format/digits';
import { resolveRedirect } from '~/lib/links/redirect';

/** Digits of a number outside Saudi Arabia, at least and at most; the server knows each country. */
const ABROAD_LEAST = 4;
const ABROAD_MOST = 15;

/** What people put between the digits of a number, and marks that come along when it is pasted. */
const BETWEEN = /[\s\-().\u00a0\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A national number as it is sent: Western digits, without what stands between them. */
export function phoneDigits(typed: string): string {
  return westernDigits(typed).replace(BETWEEN, '');
}

/** What a number looks like: the digits of the placeholder (specification §5). */
export function phonePlaceholder(telCode: string): string {
  return telCode === TEL_CODE_DEFAULT ? `5${'X'.repeat(SAUDI_MOBILE_DIGITS - 1)}` : '';
}

export type PhoneFault = 'phone.needed' | 'phone.digits' | 'phone.five' | 'phone.wrong';

/** What is wrong with a number (specification §5), if anything. One leading zero is passed over. */
export function phoneFault(telCode: string, typed: string): PhoneFault | undefined {
  const digits = phoneDigits(typed);
  if (digits === '') return 'phone.needed';
  if (!/^\d+$/.test(digits)) return 'phone.wrong';
  if (telCode !== TEL_CODE_DEFAULT) {
    const { length } = digits;
    return length < ABROAD_LEAST || length > ABROAD_MOST ? 'phone.wrong' : undefined;
  }
  const national = digits.replace(/^0/, '');
  if (!national.startsWith('5')) return 'phone.five';
  return national.length === SAUDI_MOBILE_DIGITS ? undefined : 'phone.digits';
}

/** A verification code as it is sent. */
export function codeDigits(typed: string): string {
  return westernDigits(typed).replace(BETWEEN, '');
}

export function codeFault(typed: string): 'code.needed' | 'code.digits' | undefined {
  const code = codeDigits(typed);
  if (code === '') return 'code.needed';
  return code.length === CODE_DIGITS && /^\d+$/.test(code) ? undefined : 'code.digits';
}

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** What is wrong with an account: a telephone number or an email (specification §5). */
export function accountFault(typed: string): 'account.needed' | 'account.wrong' | undefined {
  const account = typed.trim();
  if (account === '') return 'account.needed';
  if (account.includes('@')) return EMAIL.test(account) ? undefined : 'account.wrong';
  return /^\+?\d{4,17}$/.test(phoneDigits(account)) ? undefined : 'account.wrong';
}

/** The parts of the password rule (specification §5), in the order in which they are shown. */
export const PASSWORD_RULES = ['length', 'upper', 'lower', 'digit', 'symbol', 'ascii'] as const;
export type PasswordRule = (typeof PASSWORD_RULES)[number];

/** The parts of the rule that a password keeps. */
export function keptRules(password: string): ReadonlySet<PasswordRule> {
  const { length } = password;
  const kept: Record<PasswordRule, boolean> = {
    length: length >= PASSWORD_LEAST && length <= PASSWORD_MOST,
    upper: /[A-Z]/.test(password),
    lower: /[a-z]/.test(password),
    digit: /[0-9]/.test(password),
    symbol: /[!-/:-@[-`{-~]/.test(password),
    ascii: length > 0 && /^[!-~]*$/.test(password),
  };
  return new Set(PASSWORD_RULES.filter((rule) => kept[rule]));
}

export function isPassword(password: string): boolean {
  return keptRules(password).size === PASSWORD_RULES.length;
}

/**
 * Where a login leads, as an absolute URL: the page that the `target` parameter names, else home.
 * Never back to the login page.
 */
export function loginTarget(
  target: string | null,
  origin: string,
  home: string,
  allowedOrigins: readonly string[],
): string {
  const url = resolveRedirect(target, origin, allowedOrigins);
  const isLogin = url && /^(?:\/[a-z]{2}-[a-z]{2})?\/login\/?$/.test(new URL(url).pathname);
  return url && !isLogin ? url : origin + home;
}
