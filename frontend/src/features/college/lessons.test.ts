import { describe, expect, it } from 'vitest';
import { idsIn, withLesson } from './lessons';

describe('withLesson', () => {
  it.each([
    [[], '1', ['1']],
    [['1', '2'], '1', ['2', '1']],
    [['1'], '2', ['1', '2']],
  ])('%j and %s is %j', (ids, id, all) => expect(withLesson(ids, id)).toEqual(all));

  it('forgets the oldest beyond 500', () => {
    const ids = Array.from({ length: 500 }, (_, index) => String(index));
    const all = withLesson(ids, 'new');
    expect(all).toHaveLength(500);
    expect(all.at(-1)).toBe('new');
    expect(all).not.toContain('0');
  });
});

describe('idsIn', () => {
  it.each([
    [null, []],
    [{ 1: true }, []],
    ['1,2', []],
    [
      ['1', 2, null, '3'],
      ['1', '3'],
    ],
  ])('%j holds %j', (stored, ids) => expect(idsIn(stored)).toEqual(ids));
});
