/** Checks what the style sheets may say: logical properties only, colours by token only. */
import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parse } from 'postcss';
import { inFrontend } from './build/paths.ts';
import { cssProblems } from './css/rules.ts';

const TOKENS = 'src/styles/tokens.css';

let failed = false;
for (const file of globSync(inFrontend('src/**/*.css'))) {
  const name = relative(inFrontend('.'), file);
  const root = parse(readFileSync(file, 'utf8'), { from: name });
  for (const problem of cssProblems(root, { mayNameColours: name === TOKENS })) {
    failed = true;
    console.error(`${name}:${problem}`);
  }
}
if (failed) process.exit(1);
