import { describe, expect, it } from 'vitest';
import { clockTime } from './clock';

describe('clockTime', () => {
  it.each([
    [0, '0:00'],
    [65.9, '1:05'],
    [600, '10:00'],
    [3725, '1:02:05'],
    [-3, '0:00'],
  ])('%d is %s', (seconds, text) => expect(clockTime(seconds)).toBe(text));
});
