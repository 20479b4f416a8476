/**
 * Makes `src/gen` from the protos (offline: buf and the plugin are packages of ours). `--check`
 * writes nothing and fails where `src/gen` is not what the protos say.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inFrontend } from './build/paths.ts';

const REPOSITORY = inFrontend('..');
const GENERATED = 'frontend/src/gen';

function generate(out: string) {
  execFileSync(inFrontend('node_modules/.bin/buf'), ['generate', '--clean', '--output', out], {
    cwd: REPOSITORY,
    stdio: 'inherit',
  });
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

if (!process.argv.includes('--check')) generate(REPOSITORY);
else if (!check()) process.exit(1);
