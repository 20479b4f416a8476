import { describe, expect, it } from 'vitest';
import { toggled } from './useLike';

describe('toggled', () => {
  it.each([
    [
      { liked: false, count: 3 },
      { liked: true, count: 4 },
    ],
    [
      { liked: true, count: 4 },
      { liked: false, count: 3 },
    ],
    [
      { liked: true, count: 0 },
      { liked: false, count: 0 },
    ],
    [{ liked: false }, { liked: true, count: 1 }],
  ])('%j becomes %j', (before, after) => expect(toggled(before)).toEqual(after));
});
