import { describe, expect, it } from 'vitest';
import { badgeText, visitIn } from './unread';

describe('visitIn', () => {
  const now = 1_795_269_600;
  it.each([
    [{ at: now - 60 }, now - 60],
    [{ at: now }, now],
    [{ at: now + 1 }, undefined],
    [{ at: 0 }, undefined],
    [{ at: 1.5 }, undefined],
    [{ at: '5' }, undefined],
    [{}, undefined],
    [[], undefined],
    [null, undefined],
    [7, undefined],
  ])('%j holds %j', (stored, visit) => expect(visitIn(stored, now)).toEqual(visit));
});

describe('badgeText', () => {
  it.each([
    [1, '1'],
    [99, '99'],
    [100, '99+'],
    [999, '99+'],
  ])('%i is %s', (count, text) => expect(badgeText(count)).toBe(text));
});
