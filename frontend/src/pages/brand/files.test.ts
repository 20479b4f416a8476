import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOGO_FILES } from './files';

test.each(LOGO_FILES)('$name is there, as wide as it says', ({ name, width }) => {
  const svg = readFileSync(`public/${name}`, 'utf8');
  expect(svg).toContain(`viewBox="0 0 ${width} 32"`);
  expect(svg).toMatch(/<title>(Sahm|سهم)<\/title>/);
  expect(svg).not.toMatch(/<script|href=|font-family/);
});
