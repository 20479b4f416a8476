import { describe, expect, test } from 'vitest';
import { drawingOf } from './art';

describe('drawingOf', () => {
  test.each(['regular', 'eidAlAdha', 'nationalDay'])('draws %s in rows of one length', (kind) => {
    const rows = drawingOf(kind);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    expect(rows.join('')).toMatch(/^[.#]+$/);
  });

  test('draws each kind differently, and a kind that it does not know as the regular one', () => {
    expect(drawingOf('eidAlAdha')).not.toEqual(drawingOf('nationalDay'));
    expect(drawingOf('raffle')).toEqual(drawingOf('regular'));
    expect(drawingOf()).toEqual(drawingOf('regular'));
  });
});
