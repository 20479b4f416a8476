import { ENVIRONMENTS, NAMES } from './settings-names';

/** Internal variable from the parent process, not a setting. */
const WATCH_STDIN = 'SAHM_RENDERER_WATCH_STDIN';
const LISTEN = 'SAHM_RENDERER_LISTEN';

/** The settings that this process reads (docs/configuration.md). */
export interface Settings {
  inDev: boolean;
  /** IPv6 addresses have no brackets. */
  host: string;
  port: number;
  /** Stops when stdin closes. */
  watchStdin: boolean;
}

/** An invalid setting. The message is one line that names it. */
export class SettingsError extends Error {}

/**
 * Reads settings from the environment. Empty values count as unset.
 *
 * @throws {SettingsError} at the first unknown name or invalid value.
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
