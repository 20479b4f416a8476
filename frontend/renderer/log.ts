import { styleText } from 'node:util';

type Level = 'info' | 'warn' | 'error';
type Fields = Record<string, unknown>;

/** Lines are dropped and counted while more than this waits for the log's reader. */
const MAX_BUFFERED_CHARACTERS = 2 ** 20;

const COLOURS = { info: 'green', warn: 'yellow', error: 'red' } as const;

let format = asJson;
let dropped = 0;

/** Lines dropped because the buffer was full. */
export const droppedLines = () => dropped;

/** Writes text lines from now on, as the other processes do in `dev`. */
export function logAsText(): void {
  format = asText;
}

/** One structured line on stderr, with the keys of the other processes' lines. */
export function log(level: Level, message: string, fields: Fields = {}): void {
  if (process.stderr.writableLength > MAX_BUFFERED_CHARACTERS) {
    dropped += 1;
    return;
  }
  process.stderr.write(`${format(level, message, fields)}\n`);
}

function asJson(level: Level, message: string, fields: Fields): string {
  const timestamp = new Date().toISOString();
  return JSON.stringify({
    timestamp,
    level: level.toUpperCase(),
    message,
    ...fields,
    target: 'renderer',
  });
}

/** Colours appear on a terminal only, and not with `NO_COLOR`. */
function asText(level: Level, message: string, fields: Fields): string {
  const now = new Date();
  const milliseconds = String(now.getMilliseconds()).padStart(3, '0');
  const stream = process.stderr;
  const time = styleText('dim', `${now.toTimeString().slice(0, 8)}.${milliseconds}`, { stream });
  const label = styleText(COLOURS[level], level.toUpperCase().padStart(5), { stream });
  const target = styleText('dim', 'renderer:', { stream });
  const values = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return `${time} ${label} ${target} ${message}${values.join('')}`;
}
