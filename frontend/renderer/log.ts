type Level = 'info' | 'warn' | 'error';

/** One structured line on stderr. */
export function log(level: Level, message: string, fields: Record<string, unknown> = {}): void {
  const line = { time: new Date().toISOString(), level, target: 'renderer', message, ...fields };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

/** The trace id of a W3C `traceparent` header. */
export function traceIdOf(header: string | string[] | undefined): string | undefined {
  return /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/.exec(String(header))?.[1];
}
