import { readFileSync } from 'node:fs';
import { Window } from 'happy-dom';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadAllPages, renderPage } from '~/app/server';
import type { Locale } from '~/lib/locale';
import { readFixture } from '../../scripts/fixtures/store';

beforeAll(async () => {
  await loadAllPages();
});

const COORDINATES = ['d', 'x', 'y', 'cx', 'cy', 'width', 'height'] as const;

/**
 * The coordinates of everything drawn on the axes of a page's charts, except the current-time
 * marker.
 */
async function chartsOf(page: string, locale: Locale): Promise<string[][]> {
  const { document } = new Window();
  document.body.innerHTML = await renderPage(readFixture(`${page}.${locale}`));
  return [...document.querySelectorAll('main svg[role="img"] [data-chart]')]
    .filter((chart) => !chart.closest('[data-live]'))
    .map((chart) =>
      [...chart.querySelectorAll('path, rect, circle, text')].map((mark) =>
        COORDINATES.map((name) => mark.getAttribute(name)).join(' '),
      ),
    );
}

describe('charts', () => {
  test.each([
    ['invest-us-options', 2],
    ['invest-us-warrants', 1],
    ['invest-us-etfs', 1],
    ['invest-saudi-suku-bonds', 1],
    ['invest-saudi-stocks', 2],
    ['invest', 4],
  ])('%s has %d axes, which run left to right in both languages', async (page, count) => {
    const english = await chartsOf(page, 'en-us');
    expect(english).toHaveLength(count);
    expect(english.every((marks) => marks.length > 1)).toBe(true);
    expect(await chartsOf(page, 'ar-sa')).toEqual(english);
  });
});

describe('proportional bars', () => {
  /** The extents of a page's bars, in percent of the drawing's width. */
  const barsOf = async (page: string, locale: Locale): Promise<number[][]> => {
    const { document } = new Window();
    document.body.innerHTML = await renderPage(readFixture(`${page}.${locale}`));
    return [...document.querySelectorAll('main svg[role="img"] [data-bars] rect')].map((bar) =>
      ['x', 'width'].map((name) => Number.parseFloat(bar.getAttribute(name) ?? '')),
    );
  };

  test.each([
    ['invest-us-stocks', 6],
    ['pricing', 6],
  ])('of %s start where the line of text starts', async (page, count) => {
    const english = await barsOf(page, 'en-us');
    const arabic = await barsOf(page, 'ar-sa');
    expect(english).toHaveLength(count);
    expect(english[0]?.[0]).toBe(0);
    expect(arabic).toHaveLength(count);
    arabic.forEach(([x = 0, width = 0], i) => {
      expect(width).toBeCloseTo(english[i]?.[1] ?? 0);
      expect(100 - x - width).toBeCloseTo(english[i]?.[0] ?? 0);
    });
  });
});

describe('the Arabic art of banners', () => {
  const art = (name: string) =>
    readFileSync(`../services/content/seed/news/banners/${name}.svg`, 'utf8');
  /** An SVG file without its mirrored part. */
  const unmirrored = (svg: string) => svg.replace(/<g transform="matrix\(-1.*?<\/g>/s, '');

  test('the index of the towers rises to the right', () => {
    const pointsOf = (svg: string) =>
      /points="([^"]*)"/
        .exec(svg)?.[1]
        ?.split(' ')
        .map((point) => point.split(',').map(Number));
    const english = pointsOf(art('towers')) ?? [];
    expect(english).toHaveLength(6);
    expect(pointsOf(unmirrored(art('towers-rtl')))).toEqual(
      english.map(([x = 0, y]) => [x + 600, y]),
    );
  });

  test('the bars of the dunes stand in the same order', () => {
    const barsOf = (svg: string) =>
      [...svg.matchAll(/<rect x="(\d+)" y="(\d+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
    const english = barsOf(art('dunes'));
    expect(english).toHaveLength(7);
    expect(barsOf(unmirrored(art('dunes-rtl')))).toEqual(english.map(([x = 0, y]) => [x - 330, y]));
  });
});
