import { describe, expect, it } from 'vitest';
import { prefixLinks } from './translate';

describe('prefixLinks', () => {
  it.each([
    ['<a href="/news/content/1">x</a>', '<a href="/ar-sa/news/content/1">x</a>'],
    ['<a class="y" href="/pricing#us">x</a>', '<a class="y" href="/ar-sa/pricing#us">x</a>'],
    ['<a href="/">x</a>', '<a href="/ar-sa">x</a>'],
    ['<a href="//host/x">x</a>', '<a href="//host/x">x</a>'],
    ['<a href="https://host/x">x</a>', '<a href="https://host/x">x</a>'],
    ['<a href="/media/a.pdf">x</a>', '<a href="/media/a.pdf">x</a>'],
    ['<img src="/media/a.svg">', '<img src="/media/a.svg">'],
    ['<a href="#part">x</a>', '<a href="#part">x</a>'],
    [
      '<a href="/a">x</a> and <a href="/b">y</a>',
      '<a href="/ar-sa/a">x</a> and <a href="/ar-sa/b">y</a>',
    ],
  ])('%s', (html, prefixed) => expect(prefixLinks(html, 'ar-sa')).toBe(prefixed));
});
