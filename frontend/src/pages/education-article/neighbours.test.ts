import { describe, expect, it } from 'vitest';
import { neighboursOf } from './Neighbours';

describe('neighboursOf', () => {
  const items = [{ id: '1' }, { id: '2' }, { id: '3' }];
  it.each([
    ['1', undefined, '2'],
    ['2', '1', '3'],
    ['3', '2', undefined],
    ['4', undefined, undefined],
    ['', undefined, undefined],
  ])('%s stands between %s and %s', (id, previous, next) => {
    const found = neighboursOf(items, id);
    expect([found.previous?.id, found.next?.id]).toEqual([previous, next]);
  });
});
