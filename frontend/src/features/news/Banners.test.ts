import { describe, expect, it } from 'vitest';
import { isActive } from './Banners';

describe('isActive', () => {
  it.each([
    [100, 200, 99, false],
    [100, 200, 100, false],
    [100, 200, 101, true],
    [100, 200, 199, true],
    [100, 200, 200, false],
    [200, 100, 150, false],
  ])('from %i to %i at %i: %s', (beginTime, endTime, now, active) =>
    expect(isActive({ beginTime, endTime }, now)).toBe(active),
  );
});
