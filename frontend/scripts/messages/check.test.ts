import { expect, test } from 'vitest';
import { problemsOf } from './check.ts';

const problems = (en: object, ar: object) =>
  problemsOf(
    'news',
    new Map([
      ['en-us', en as Record<string, string>],
      ['ar-sa', ar as Record<string, string>],
    ]),
  );

const SIX = '{n, plural, zero {ا} one {ب} two {ج} few {د} many {ه} other {و}}';

test.each([
  ['alike', { a: 'x {n}' }, { a: 'س {n}' }, []],
  ['a missing key', { a: 'x', b: 'y' }, { a: 'س' }, ['messages/ar-sa/news.json: b is missing']],
  ['an empty text', { a: 'x' }, { a: ' ' }, ['messages/ar-sa/news.json: a is empty']],
  ['all plural forms', { a: '{n, plural, one {x} other {y}}' }, { a: SIX }, []],
  [
    'missing plural forms',
    { a: '{n, plural, one {x} other {y}}' },
    { a: '{n, plural, zero {ا} one {ب} few {د} other {و}}' },
    [
      'messages/ar-sa/news.json: a lacks the plural form two',
      'messages/ar-sa/news.json: a lacks the plural form many',
    ],
  ],
  [
    'different values',
    { a: '{name}' },
    { a: '{who}' },
    ['news:a takes different values: en-us {name}, ar-sa {who}'],
  ],
])('%s', (_, en, ar, expected) => {
  expect(problems(en, ar)).toEqual(expected);
});

test('broken ICU is named', () => {
  expect(problems({ a: '{n, plural' }, { a: 'س' })[0]).toContain('messages/en-us/news.json: a:');
});
