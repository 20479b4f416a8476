import { describe, expect, it } from 'vitest';
import { reportOf, resumeAt, shouldSave } from './video-progress';

describe('resumeAt', () => {
  it.each([
    [0, 90, 0],
    [4, 90, 0],
    [5, 90, 5],
    [60, 90, 60],
    [85, 90, 85],
    [86, 90, 0],
    [90, 90, 0],
    [30, 0, 0],
  ])('%i of %i goes on at %i', (position, duration, at) =>
    expect(resumeAt({ position, duration })).toBe(at),
  );
});

describe('reportOf', () => {
  it.each([
    [12.9, 90.2, { position: 12, duration: 91 }],
    [90.2, 90.2, { position: 90, duration: 91 }],
    [95, 90, { position: 90, duration: 90 }],
    [-1, 90, { position: 0, duration: 90 }],
    [3, Number.NaN, undefined],
    [3, Number.POSITIVE_INFINITY, undefined],
    [0, 0, undefined],
  ])('%d of %d is %j', (position, duration, report) =>
    expect(reportOf({ position, duration })).toEqual(report),
  );
});

describe('shouldSave', () => {
  it.each([
    [0, 9, true, false],
    [0, 10, true, true],
    [40, 12, true, true],
    [40, 41, false, true],
    [40, 40, false, false],
  ])('saved %i, now %i, playing %s: %s', (savedPosition, position, playing, expected) =>
    expect(shouldSave(savedPosition, position, playing)).toBe(expected),
  );
});
