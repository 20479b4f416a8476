import { ENVIRONMENTS, NAMES } from './settings-names';

/** Between the process that starts this one and this one; no setting of anybody's. */
const WATCH_STDIN = 'SAHM_RENDERER_WATCH_STDIN';
const LISTEN = 'SAHM_RENDERER_LISTEN';

/** What this process reads of the settings that all processes share (docs/configuration.md). */
export interface Settings {
  /** Whether this is a developer's machine. */
  inDev: boolean;
  /** Without the brackets of an IPv6 address. */
  host: string;
  port: number;
  /** Whether to end when standard input does. */
  watchStdin: boolean;
}

/** A setting that stops the start; its message is one line that names it. */
export class SettingsError extends Error {}

/**
 * Reads the environment. An empty value counts as not given.
 *
 * @throws {SettingsError} at the first name that no process knows, or wrong value.
 */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const known = new Set([...NAMES, WATCH_STDIN]);
  const unknown = Object.keys(env)
    .sort()
    .find((name) => name.startsWith('SAHM_') && !known.has(name));
  if (unknown) throw new SettingsError(`${unknown}: no such setting`);
  const value = (name: string, fallback: string) => env[name]?.trim() || fallback;
  const wrong = (name: string, expected: string) =>
    new SettingsError(`${name}: \`${env[name]}\` is not ${expected}`);

  const environment = value('SAHM_ENV', 'dev');
  if (!ENVIRONMENTS.includes(environment)) {
    throw wrong('SAHM_ENV', `one of ${ENVIRONMENTS.join(', ')}`);
  }
  const [, host = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(value(LISTEN, '127.0.0.1:7010')) ?? [];
  if (!host || Number(digits) > 65_535) {
    throw wrong(LISTEN, 'an address and port like 127.0.0.1:7010');
  }
  return {
    inDev: environment === 'dev',
    host: host.replace(/^\[(.*)\]$/, '$1'),
    port: Number(digits),
    watchStdin: env[WATCH_STDIN] === '1',
  };
}
