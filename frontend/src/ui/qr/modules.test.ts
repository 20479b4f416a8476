import { expect, test } from 'vitest';
import { modulesOf } from './modules';

test('the margin stays free and the three finders are drawn', () => {
  const { path, size } = modulesOf('https://sahm.example/get');
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h/g)].map(([, x, y]) => `${x},${y}`));
  const last = size - 3;
  for (const corner of ['2,2', `${last},2`, `2,${last}`]) expect(dark).toContain(corner);
  for (let at = 0; at < size; at++) {
    for (const edge of [0, 1, size - 2, size - 1]) {
      expect(dark).not.toContain(`${at},${edge}`);
      expect(dark).not.toContain(`${edge},${at}`);
    }
  }
});
