import { describe, expect, test } from 'vitest';
import { keepLastWord, scrollableTables, stackableTables } from './Prose';

const write = (html: string) => scrollableTables(html, 'region', 'figure', (n) => `Table ${n}`);

describe('scrollableTables', () => {
  test('each table stands in a labelled region that takes the focus', () => {
    const open = (n: number) =>
      `<section class="region" aria-label="Table ${n}" tabindex="0"><table>`;
    expect(write('<p>a</p><table><tr></tr></table><p>b</p><table></table>')).toBe(
      `<p>a</p>${open(1)}<tr></tr></table></section><p>b</p>${open(2)}</table></section>`,
    );
  });

  test('a text without tables and amounts stays as it is', () => {
    const html = '<p>3 shares of <b>4</b></p><tablet>';
    expect(write(html)).toBe(html);
  });

  test('figures are joined with their units', () => {
    expect(write('<h2>SAR 3.00 on 1 May</h2>')).toBe('<h2>SAR\u00a03.00 on 1\u00a0May</h2>');
  });

  test.each([
    ['an amount', '<td>$3.00</td>', true],
    ['a range', '<td>04:00–09:30</td>', true],
    ['a number within a tag', '<td><b>20%</b></td>', true],
    ['attributes', '<td colspan="2">7</td>', true],
    ['a head', '<th>Year 1</th>', true],
    ['a dash for a missing figure', '<td>–</td>', true],
    ['a word', '<td>Commission</td>', false],
    ['a word and an attribute with a number', '<td colspan="2">Commission</td>', false],
    ['a sentence', '<td>0.015 a share, or 1.99</td>', false],
  ])('a cell with %s, %j, is a figure: %s', (_, cell, isFigure) => {
    const row = (written: string) => `<tr><td>1</td> ${written}</tr>`;
    expect(write(row(cell))).toBe(
      row(isFigure ? cell.replace(/^<t[dh]/, '$& class="figure"') : cell),
    );
  });

  test('an empty cell is none', () => {
    const row = '<tr><td>Total</td><td></td><td><b>16.58</b></td></tr>';
    expect(write(row)).toBe(row.replace('<td><b>', '<td class="figure"><b>'));
  });
});

describe('stackableTables', () => {
  const row = (tag: string, cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`;
  const table = (heads: readonly string[], cells: readonly string[], attribute = '') =>
    `<table${attribute}><thead>${row('th', heads)}</thead><tbody>${row('td', cells)}</tbody></table>`;

  test('cells after the first of four columns get the names of their columns', () => {
    const heads = ['Date', 'The <b>day</b>', 'At "noon"', 'Riyadh'];
    expect(stackableTables(`<p>a</p>${table(heads, ['1', '2', '3', '4'])}`, 'stacked')).toBe(
      '<p>a</p><table class="stacked"><thead>' +
        `${row('th', heads)}</thead><tbody><tr><td>1</td>` +
        '<td data-label="The day">2</td><td data-label="At &quot;noon&quot;">3</td>' +
        '<td data-label="Riyadh">4</td></tr></tbody></table>',
    );
  });

  test('a cell without a value is marked as missing', () => {
    const html = table(['a', 'b', 'c', 'd'], ['1', '–', '-3', '4']);
    expect(stackableTables(html, 'stacked')).toContain(
      '<td data-label="b" data-missing="">–</td><td data-label="c">-3</td>',
    );
  });

  test('explanations between a name and a figure get no labels', () => {
    const html = table(['Phase', 'What happens', 'Time'], ['Auction', 'x'.repeat(31), '9:30']);
    expect(stackableTables(html, 'stacked')).toBe(html.replace('<table', '<table class="stacked"'));
  });

  test('the cells of three columns get labels if a name before words is long', () => {
    const html = table(['Date', 'New York', 'Riyadh'], ['x'.repeat(31), 'Until 13:00', '–']);
    expect(stackableTables(html, 'stacked')).toContain(
      '<td data-label="New York">Until 13:00</td><td data-label="Riyadh" data-missing="">–</td>',
    );
  });

  test.each([
    {
      name: 'three columns, a figure after a long name',
      html: table(['a', 'b', 'c'], ['x'.repeat(31), '15%', '2.70']),
    },
    {
      name: 'three columns, the last one long',
      html: table(['a', 'b', 'c'], ['1', 'x'.repeat(31), 'x'.repeat(21)]),
    },
    { name: 'three columns', html: table(['a', 'b', 'c'], ['1', '2', '3']) },
    {
      name: 'a merged cell',
      html: table(['a', 'b', 'c', 'd'], ['1', '2', '3', '4']).replace('<td>', '<td colspan="2">'),
    },
    { name: 'no head', html: '<table><tbody><tr><td>1</td></tr></tbody></table>' },
    {
      name: 'head cells but no head',
      html: `<table><tbody>${row('th', ['a', 'b', 'c', 'd'])}${row('td', ['1', '2', '3', '4'])}</tbody></table>`,
    },
  ])('a table with $name stays as it is', ({ html }) => {
    expect(stackableTables(html, 'stacked')).toBe(html);
  });
});

test.each([
  {
    html: '<p>It may fall.</p>\n<ul><li>or rise.</li></ul>',
    kept: '<p>It may_fall.</p>\n<ul><li>or_rise.</li></ul>',
  },
  {
    html: '<p>See <a href="/a b">the fees</a>.</p>',
    kept: '<p>See <a href="/a b">the_fees</a>.</p>',
  },
  { html: '<td>It falls.</td><p>One.</p>', kept: '<td>It falls.</td><p>One.</p>' },
  { html: '<p>It may decline.</p>', kept: '<p>It may decline.</p>' },
  { html: '<li>on 1\u00a0May.</li>', kept: '<li>on 1_May.</li>' },
])('the last word of $html', ({ html, kept }) => {
  expect(keepLastWord(html).replaceAll('\u00a0', '_')).toBe(kept);
});
