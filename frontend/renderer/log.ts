type Level = 'info' | 'warn' | 'error';

/** Characters buffered for a slow reader of the log. Lines beyond it are dropped and counted. */
const WAITING = 2 ** 20;

let dropped = 0;

/** Lines dropped because the buffer was full. */
export const droppedLines = () => dropped;

/** One structured line on stderr. */
export function log(level: Level, message: string, fields: Record<string, unknown> = {}): void {
  if (process.stderr.writableLength > WAITING) {
    dropped += 1;
    return;
  }
  const line = { time: new Date().toISOString(), level, target: 'renderer', message, ...fields };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
