import { beforeEach, describe, expect, test } from 'vitest';
import { cookieOf } from './cookies';
import { dismissToast, isThrottled, markOf, showToast, toastStore } from './toasts';

beforeEach(() => {
  dismissToast();
  // biome-ignore lint/suspicious/noDocumentCookie: the module reads it.
  document.cookie = 'hstMessage=; Max-Age=0; Path=/';
});

describe('say', () => {
  test('shows a message once a moment, another one at once', () => {
    showToast('Saved', 'success');
    const first = toastStore.get();
    expect(first).toMatchObject({ kind: 'success', text: 'Saved' });
    showToast('Saved', 'success');
    expect(toastStore.get()).toBe(first);
    showToast('Failed');
    expect(toastStore.get()).toMatchObject({ kind: 'failure', text: 'Failed' });
  });

  test('of nothing says nothing', () => {
    showToast('');
    expect(toastStore.get()).toBeUndefined();
  });
});

test.each([
  [`hstMessage=${markOf('a')}`, true],
  [`lang=en-us; hstMessage=${markOf('a')}`, true],
  [`hstMessage=${markOf('b')}`, false],
  ['hstMessage=%00"<', false],
  ['', false],
])('the cookie %j holds a message back: %s', (cookies, held) => {
  expect(isThrottled(cookies, markOf('a'))).toBe(held);
});

test('marks are 8 hexadecimal digits, and differ', () => {
  expect(markOf('')).toBe('811c9dc5');
  expect(markOf('a')).toMatch(/^[0-9a-f]{8}$/);
  expect(markOf('حدث خطأ')).not.toBe(markOf('حدث'));
});

test.each([
  ['a=1; b=2', 'b', '2'],
  ['a=1=2', 'a', '1=2'],
  ['ab=1', 'a', undefined],
  ['a=1; a=2', 'a', '1'],
])('%s of %s', (cookies, name, value) => {
  expect(cookieOf(cookies, name)).toBe(value);
});
