import { expect, test } from 'vitest';
import { errorTitle, statusOf } from './status';

test.each([
  [true, 200, undefined, undefined],
  [true, 200, 3, undefined],
  [true, 200, 0, 'empty'],
  [true, 404, undefined, 'page-not-found'],
  [true, 500, undefined, 'error'],
  [true, 503, 0, 'error'],
  [true, 0, undefined, 'no-network'],
  [false, 0, undefined, 'error-network'],
  [false, 200, 3, 'error-network'],
] as const)('connected %s, status %d, %s items: %s', (on, http, items, status) => {
  expect(statusOf(on, http, items)).toBe(status);
});

test.each([
  [true, 500, 'title'],
  [true, 503, 'title'],
  [true, 0, 'title.no-answer'],
  [false, 0, 'title.offline'],
  [false, 503, 'title.offline'],
] as const)('an error page while connected is %s, of status %d, is titled %s', (on, http, key) => {
  expect(errorTitle(on, http)).toBe(key);
});
