import { isEmail } from '~/lib/email';
import { westernDigits } from '~/lib/format/digits';
import { resolveRedirect } from '~/lib/links/redirect';

/** Saudi Arabia's telephone code, the default. */
export const TEL_CODE_DEFAULT = '966';
/** Digits of a Saudi mobile number, which starts with 5. */
export const SAUDI_MOBILE_DIGITS = 9;
/** Digits of a verification code. */
export const CODE_DIGITS = 6;
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 20;

/** Digits of a national number outside Saudi Arabia; the server checks the country's own rules. */
export const MIN_PHONE_DIGITS = 4;
export const MAX_PHONE_DIGITS = 15;

/** Patterns of mobile numbers in frequent countries, by telephone code. */
const MOBILE_NUMBERS: Readonly<Record<string, string>> = {
  '20': '1XXXXXXXXX',
  '212': '6XXXXXXXX',
  '213': '5XXXXXXXX',
  '216': '2XXXXXXX',
  '249': '9XXXXXXXX',
  '44': '7XXXXXXXXX',
  '62': '8XXXXXXXXX',
  '63': '9XXXXXXXXX',
  '1': 'XXXXXXXXXX',
  '90': '5XXXXXXXXX',
  '91': '9XXXXXXXXX',
  '92': '3XXXXXXXXX',
  '961': '7XXXXXXX',
  '962': '7XXXXXXXX',
  '963': '9XXXXXXXX',
  '964': '7XXXXXXXXX',
  '965': '5XXXXXXX',
  [TEL_CODE_DEFAULT]: `5${'X'.repeat(SAUDI_MOBILE_DIGITS - 1)}`,
  '967': '7XXXXXXXX',
  '968': '9XXXXXXX',
  '970': '5XXXXXXXX',
  '971': '5XXXXXXXX',
  '973': '3XXXXXXX',
  '974': '3XXXXXXX',
  '880': '1XXXXXXXXX',
};

/** Separators that people type in numbers, and invisible marks that pasted numbers contain. */
const SEPARATORS = /[\s\-().\u00a0\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A national number as sent: Western digits without separators. */
export function phoneDigits(typed: string): string {
  return westernDigits(typed).replace(SEPARATORS, '');
}

/** A placeholder of a country's mobile numbers; undefined for unlisted countries. */
export function phonePlaceholder(telCode: string): string | undefined {
  return MOBILE_NUMBERS[telCode];
}

export type PhoneFault = 'phone.needed' | 'phone.digits' | 'phone.five' | 'phone.wrong';

/** Validates a number. One leading zero is ignored. */
export function phoneError(telCode: string, typed: string): PhoneFault | undefined {
  const digits = phoneDigits(typed);
  if (digits === '') return 'phone.needed';
  if (!/^\d+$/.test(digits)) return 'phone.wrong';
  if (telCode !== TEL_CODE_DEFAULT) {
    const { length } = digits;
    return length < MIN_PHONE_DIGITS || length > MAX_PHONE_DIGITS ? 'phone.wrong' : undefined;
  }
  const national = digits.replace(/^0/, '');
  if (!national.startsWith('5')) return 'phone.five';
  return national.length === SAUDI_MOBILE_DIGITS ? undefined : 'phone.digits';
}

/** A verification code as sent. */
export function codeDigits(typed: string): string {
  return westernDigits(typed).replace(SEPARATORS, '');
}

export function codeError(typed: string): 'code.needed' | 'code.digits' | undefined {
  const code = codeDigits(typed);
  if (code === '') return 'code.needed';
  return code.length === CODE_DIGITS && /^\d+$/.test(code) ? undefined : 'code.digits';
}

/** Validates an account: a telephone number or an email. */
export function accountError(typed: string): 'account.needed' | 'account.wrong' | undefined {
  const account = typed.trim();
  if (account === '') return 'account.needed';
  if (account.includes('@')) return isEmail(account) ? undefined : 'account.wrong';
  return /^\+?\d{4,17}$/.test(phoneDigits(account)) ? undefined : 'account.wrong';
}

/** The password rules, in display order. */
export const PASSWORD_RULES = ['length', 'upper', 'lower', 'digit', 'symbol', 'ascii'] as const;
export type PasswordRule = (typeof PASSWORD_RULES)[number];

/** The rules that a password meets. */
export function keptRules(password: string): ReadonlySet<PasswordRule> {
  const { length } = password;
  const kept: Record<PasswordRule, boolean> = {
    length: length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH,
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
 * The absolute URL to open after a login: the page in the `target` parameter, else home; never the
 * login page.
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
