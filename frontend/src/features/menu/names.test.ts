import { describe, expect, it } from 'vitest';
import { nameIn } from './names';

describe('nameIn', () => {
  it.each([
    ['en-us', { name: 'a', nameEn: 'b', nameSa: 'ج' }, 'b'],
    ['ar-sa', { name: 'a', nameEn: 'b', nameSa: 'ج' }, 'ج'],
    ['ar-sa', { name: 'a', nameEn: 'b' }, 'b'],
    ['ar-sa', { name: 'a' }, 'a'],
    ['en-us', { name: 'a', nameSa: 'ج' }, 'a'],
    ['en-us', {}, ''],
  ] as const)('%s of %j is %s', (locale, item, name) => {
    expect(nameIn(locale, item)).toBe(name);
  });
});
