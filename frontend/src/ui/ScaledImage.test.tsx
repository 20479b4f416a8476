import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { ScaledImage } from './ScaledImage';

const PLAIN = { path: '/media/a.png', width: 40, height: 30 };
const IMG =
  '<img src="/media/a.png" alt="A" width="40" height="30" decoding="async" loading="lazy"/>';
const X2 = '<source media="(min-resolution: 1dppx)" srcSet="/media/b.png"/>';
const X3 = '<source media="(min-resolution: 2.001dppx)" srcSet="/media/c.png"/>';

describe('ScaledImage', () => {
  test.each([
    [{}, ''],
    [{ path2x: '/media/b.png' }, X2],
    [{ path3x: '/media/c.png' }, X3],
    [{ path2x: '/media/b.png', path3x: '/media/c.png' }, X3 + X2],
  ])('offers the sizes that there are: %o', (larger, sources) => {
    const html = renderToStaticMarkup(
      <ScaledImage image={{ ...PLAIN, ...larger }} alt="A" loading="lazy" />,
    );
    const inner = html.replace(/^<picture[^>]*>|<\/picture>$/g, '');
    expect(inner).toBe(sources + IMG);
    expect(html.startsWith('<picture')).toBe(sources !== '');
  });
});
