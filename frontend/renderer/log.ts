type Level = 'info' | 'warn' | 'error';

/** One structured line on stderr. */
export function log(level: Level, message: string, fields: Record<string, unknown> = {}): void {
  const line = { time: new Date().toISOString(), level, target: 'renderer', message, ...fields };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
