import { describe, expect, it } from 'vitest';
import { nextLesson } from './lessons';

describe('nextLesson', () => {
  const lessons = [{ id: '1' }, { id: '2' }, { id: '3' }];
  it.each([
    [[], '1', 1, false],
    [['1'], '2', 2, true],
    [['1', '2'], '3', 3, true],
    [['2'], '1', 1, false],
    [['1', '2', '3'], '1', 1, false],
    [['9'], '1', 1, false],
  ])('after %j comes %s', (read, id, number, begun) =>
    expect(nextLesson(lessons, new Set(read))).toEqual({ lesson: { id }, number, begun }),
  );

  it('is nothing in an empty course', () => expect(nextLesson([], new Set(['1']))).toBeUndefined());
});
