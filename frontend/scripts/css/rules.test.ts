import { parse } from 'postcss';
import { expect, test } from 'vitest';
import { cssProblems } from './rules.ts';

const problems = (css: string, mayNameColours = false) =>
  cssProblems(parse(css), { mayNameColours });

test.each([
  'a { margin-inline: 1rem; inset-inline-start: 0; text-align: start; color: var(--ink) }',
  'a { background: color-mix(in oklab, var(--ink) 8%, transparent); fill: currentcolor }',
  'a { background: url("red.svg"); transition: color 150ms }',
  '@media print { a { color: black } }',
])('%s is right', (css) => {
  expect(problems(css)).toEqual([]);
});

test.each([
  'a { margin-left: 1rem }',
  'a { left: 0 }',
  'a { border-top-right-radius: 1px }',
  'a { text-align: right }',
  'a { float: left }',
  'a { color: #fff }',
  'a { color: white }',
  'a { box-shadow: 0 1px rgb(0 0 0 / 10%) }',
])('%s is wrong', (css) => {
  expect(problems(css)).toHaveLength(1);
});

test('tokens name colours', () => {
  expect(problems(':root { --ink: #123 }', true)).toEqual([]);
});
