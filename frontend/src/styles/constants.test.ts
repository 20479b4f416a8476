import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PC_BREAKPOINT_PX } from '~/lib/viewport';

/** The browser's default font size. */
const READERS_SIZE = 16;

const styles = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

test('the root size is 20 px on a PC and a share of the width on a phone', () => {
  const [below = '', above = ''] = styles('styles/base.css').split(
    `@media (width >= ${PC_BREAKPOINT_PX}px)`,
  );
  expect(below).toContain('font-size: calc(100vw / 37.5);');
  expect(above).toMatch(new RegExp(`^ \\{[^}]*font-size: ${(20 / READERS_SIZE) * 100}%;`));
});

test('the menu closes in 400 ms', () => {
  expect(styles('app/layouts/header/SlideMenu.module.css')).toContain('--menu: 400ms;');
});
