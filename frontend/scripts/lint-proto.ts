/**
 * Lints the protos and checks them for breaking changes, against the newest release tag (`v*`) or,
 * before the first release, against the last commit.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { inFrontend } from './build/paths.ts';

const cwd = inFrontend('..');

function buf(...args: string[]) {
  const { status } = spawnSync(inFrontend('node_modules/.bin/buf'), args, {
    cwd,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

buf('lint');

const released = git('tag', '--list', 'v*', '--sort=-version:refname')?.split('\n', 1)[0];
const hasCommit = git('rev-parse', '--verify', 'HEAD') !== undefined;
if (released) buf('breaking', '--against', `.git#tag=${released}`);
else if (hasCommit) buf('breaking', '--against', '.git#ref=HEAD');
else console.warn('no git history: breaking changes are not checked');
