import { expect, test } from 'vitest';
import { loadMessages, translator } from './messages';

test('a message gets the values that it takes', async () => {
  await loadMessages('en-us', 'login');
  const t = translator('en-us', 'login');
  expect(t('phone.digits', { digits: 9 })).toContain('9');
});

// The type check fails if one of these lines has no error.
test('calls without the values of their message are type errors', async () => {
  await loadMessages('en-us', 'login');
  const t = translator('en-us', 'login');
  // @ts-expect-error: `digits` is missing
  expect(() => t('phone.digits')).toThrow();
  // @ts-expect-error: `digit` is not an argument of the message
  expect(() => t('phone.digits', { digit: 9 })).toThrow();
  // @ts-expect-error: `policy` is missing
  expect(() => t.rich('agreement', { agreement: 'a' })).toThrow();
  // @ts-expect-error: there is no such message
  expect(() => t('phone.nothing')).toThrow();
});
