/**
 * Generates `src/gen` from the protos (offline: buf and its plugin are npm dependencies), the
 * message catalogues and the route table, and `renderer/settings-names.ts` from the settings in the
 * Rust sources. `--check` writes nothing and fails if a generated file is out of date.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import table from '../routes.json' with { type: 'json' };
import { inFrontend } from './build/paths.ts';
import { Catalogues } from './messages/catalogues.ts';
import { messageTypes } from './messages/types.ts';
import { operationsSource } from './operations.ts';
import { routesSource } from './routes.ts';

const REPOSITORY = inFrontend('..');
const GENERATED = 'frontend/src/gen';
const SETTINGS = join(REPOSITORY, 'services/chassis/src/settings');
const NAMES = inFrontend('renderer/settings-names.ts');

function generate(out: string) {
  execFileSync(inFrontend('node_modules/.bin/buf'), ['generate', '--clean', '--output', out], {
    cwd: REPOSITORY,
    stdio: 'inherit',
  });
  writeFileSync(join(out, GENERATED, 'operations.ts'), operationsSource());
  writeFileSync(join(out, GENERATED, 'routes.ts'), routesSource(table.routes));
  const catalogues = new Catalogues(inFrontend('messages'));
  writeFileSync(join(out, GENERATED, 'messages.ts'), messageTypes(catalogues));
}

function filesIn(root: string): Map<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [file.slice(root.length), readFileSync(file, 'utf8')]));
}

function check(): boolean {
  const out = mkdtempSync(join(tmpdir(), 'sahm-gen-'));
  try {
    generate(out);
    const made = filesIn(join(out, GENERATED));
    const kept = filesIn(join(REPOSITORY, GENERATED));
    const stale = [...new Set([...made.keys(), ...kept.keys()])].filter(
      (name) => made.get(name) !== kept.get(name),
    );
    for (const name of stale) console.error(`${GENERATED}${name} is not current: npm run gen`);
    return stale.length === 0;
  } finally {
    rmSync(out, { recursive: true });
  }
}

/**
 * The source of `renderer/settings-names.ts`, from the lists of settings and environments in Rust.
 */
function settingsNames(): string {
  const found = (file: string, pattern: RegExp) => {
    const matches = [...readFileSync(join(SETTINGS, file), 'utf8').matchAll(pattern)];
    if (!matches.length) throw new Error(`${file} has nothing like ${pattern}`);
    return matches.map(([, name = '']) => name);
  };
  const names = found('names.rs', /\b(?:open|secret|password)\(\s*"(SAHM_[A-Z0-9_]+)"/g);
  const environments = found('process.rs', /(?<=enum Environment \{[^}]*)\b(\w+),/g);
  const list = (values: readonly string[]) => values.map((value) => `  '${value}',\n`).join('');
  return `// Made by npm run gen; do not edit.

/** Every setting of every process. */
export const NAMES: readonly string[] = [
${list(names)}];

/** The values of \`SAHM_ENV\`. */
export const ENVIRONMENTS: readonly string[] = [
${list(environments.map((name) => name.toLowerCase()))}];
`;
}

if (process.argv.includes('--check')) {
  const isCurrent = settingsNames() === readFileSync(NAMES, 'utf8');
  if (!isCurrent) console.error(`${NAMES} is not current: npm run gen`);
  if (!check() || !isCurrent) process.exit(1);
} else {
  generate(REPOSITORY);
  writeFileSync(NAMES, settingsNames());
}
