import stylelint from 'stylelint';
import { expect, test } from 'vitest';
import { inFrontend } from './build/paths.ts';

/** The rules that a sheet breaks. */
async function brokenRules(code: string, sheet = 'ui/Button.module.css'): Promise<string[]> {
  const { results } = await stylelint.lint({
    code,
    codeFilename: inFrontend(`src/${sheet}`),
    configFile: inFrontend('stylelint.config.js'),
  });
  return results.flatMap(({ warnings }) => warnings.map(({ rule }) => rule));
}

test.each([
  'a { margin-inline: 1rem; inset-inline-start: 0; text-align: start; color: var(--ink) }',
  'a { background: color-mix(in oklab, var(--ink) 8%, transparent); fill: currentcolor }',
  'a { background: url("red.svg"); transition: color 150ms }',
  '@media print { a { color: var(--ink) } }',
  '@media (width >= 768px) { a { z-index: var(--z-top) } }',
])('%s is right', async (css) => {
  expect(await brokenRules(css)).toEqual([]);
});

test.each([
  ['a { margin-left: 1rem }', 'property-layout-mappings'],
  ['a { left: 0 }', 'property-layout-mappings'],
  ['a { border-top-right-radius: 1px }', 'property-layout-mappings'],
  ['a { padding: 0 1px 0 2px }', 'declaration-property-max-values'],
  ['a { text-align: right }', 'value-keyword-layout-mappings'],
  ['a { float: left }', 'value-keyword-layout-mappings'],
  ['a { color: #fff }', 'color-no-hex'],
  ['a { color: white }', 'color-named'],
  ['a { box-shadow: 0 1px rgb(0 0 0 / 10%) }', 'function-disallowed-list'],
  ['@media (width >= 770px) { a { order: 1 } }', 'media-feature-name-value-allowed-list'],
  ['@media (min-width: 768px) { a { order: 1 } }', 'media-feature-range-notation'],
  ['a { z-index: 99 }', 'declaration-property-value-allowed-list'],
])('%s breaks %s', async (css, rule) => {
  expect(await brokenRules(css)).toEqual([rule]);
});

test('tokens name colours', async () => {
  expect(await brokenRules(':root { --ink: #123 }', 'styles/tokens.css')).toEqual([]);
});
