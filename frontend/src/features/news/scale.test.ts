import { describe, expect, it } from 'vitest';
import { scaledSet } from './scale';

describe('scaledSet', () => {
  it.each([
    ['/banners/top.png', '/banners/top.png 0.99x, /banners/top@2x.png 2x, /banners/top@3x.png 3x'],
    ['/b.1/top.webp', '/b.1/top.webp 0.99x, /b.1/top@2x.webp 2x, /b.1/top@3x.webp 3x'],
    ['/media/0123456789abcdef.png', undefined],
    ['/banners/top.svg', undefined],
    ['/banners.v2/top', undefined],
  ])('%s', (path, set) => expect(scaledSet(path)).toBe(set));
});
