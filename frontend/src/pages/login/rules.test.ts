import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  accountError,
  codeDigits,
  codeError,
  isPassword,
  keptRules,
  loginTarget,
  phoneDigits,
  phoneError,
  phonePlaceholder,
} from './rules';

/** Codes of the frequent countries (services/config/seed). */
const GENERAL_CODES = readFileSync('../services/config/seed/countries.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { telCode: string; generalRank: number })
  .flatMap(({ telCode, generalRank }) => (generalRank > 0 ? telCode : []));

describe('a number', () => {
  test.each([
    ['966', '512345678', undefined],
    ['966', '0512345678', undefined],
    ['966', '51 234-5678', undefined],
    ['966', '٥١٢٣٤٥٦٧٨', undefined],
    ['966', '412345678', 'phone.five'],
    ['966', '51234567', 'phone.digits'],
    ['966', '5123456789', 'phone.digits'],
    ['966', '', 'phone.needed'],
    ['966', ' - ', 'phone.needed'],
    ['966', 'five', 'phone.wrong'],
    ['971', '501234567', undefined],
    ['971', '123', 'phone.wrong'],
    ['971', '1234567890123456', 'phone.wrong'],
  ])('+%s %s: %s', (telCode, typed, error) => {
    expect(phoneError(telCode, typed)).toBe(error);
  });

  test('is sent in Western digits, and its placeholder counts them', () => {
    expect(phoneDigits(' (٠٥) 12-34\u200e')).toBe('051234');
    expect(phonePlaceholder('966')).toBe('5XXXXXXXX');
    expect(phonePlaceholder('971')).toBe('5XXXXXXXX');
    expect(phonePlaceholder('358')).toBeUndefined();
  });

  test.each(GENERAL_CODES)('of +%s has a placeholder that the form itself takes', (telCode) => {
    const example = phonePlaceholder(telCode)?.replaceAll('X', '0') ?? '';
    expect(phoneError(telCode, example)).toBeUndefined();
  });
});

test.each([
  ['123456', undefined],
  ['١٢٣٤٥٦', undefined],
  ['123 456', undefined],
  ['12345', 'code.digits'],
  ['1234567', 'code.digits'],
  ['12345a', 'code.digits'],
  ['', 'code.needed'],
])('the code %s: %s', (typed, error) => {
  expect(codeError(typed)).toBe(error);
});

test('a code is sent in Western digits', () => {
  expect(codeDigits('۱۲۳ ٤٥٦')).toBe('123456');
});

test.each([
  ['512345678', undefined],
  ['+966512345678', undefined],
  ['٥١٢٣٤٥٦٧٨', undefined],
  ['a@sahm.example', undefined],
  ['a@sahm', 'account.wrong'],
  ['@sahm.example', 'account.wrong'],
  ['a b@sahm.example', 'account.wrong'],
  ['name', 'account.wrong'],
  [' ', 'account.needed'],
])('the account %s: %s', (typed, error) => {
  expect(accountError(typed)).toBe(error);
});

test.each([
  ['Sahm#2026dev', 6],
  ['Sahm#2026', 6],
  ['Sh#2026', 5],
  ['Sahm#2026devSahm#2026dev', 5],
  ['sahm#2026dev', 5],
  ['SAHM#2026DEV', 5],
  ['Sahm#dev-sahm', 5],
  ['Sahm2026dev', 5],
  ['Sahm# 2026', 5],
  ['سهمSahm#2026', 5],
  ['', 0],
])('%s keeps %d parts of the password rule', (password, kept) => {
  expect(keptRules(password).size).toBe(kept);
  expect(isPassword(password)).toBe(kept === 6);
});

const ORIGIN = 'https://sahm.example';

test.each([
  ['/en-us/news?tab=2#x', `${ORIGIN}/en-us/news?tab=2#x`],
  ['/', `${ORIGIN}/`],
  ['https://app.go.example/x?y=1#z', 'https://app.go.example/x?y=1#z'],
  ['https://evil.example/', `${ORIGIN}/home`],
  ['/.//evil.example', `${ORIGIN}/home`],
  ['/en-us/login', `${ORIGIN}/home`],
  ['/en-us/login/', `${ORIGIN}/home`],
  ['/login', `${ORIGIN}/home`],
  [null, `${ORIGIN}/home`],
])('login target %s leads to %s', (target, expected) => {
  expect(loginTarget(target, ORIGIN, '/home', ['https://go.example'])).toBe(expected);
});
