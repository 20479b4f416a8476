const PARAMETERS = ['_pid', '_scnl', '_c'];

/**
 * An address to hand on: `_pid` and `_scnl` say where it came from, whatever
 * stood there before.
 */
export function sharedUrl(url: string, { pid, scnl }: { pid: string; scnl: number }): string {
  const [beforeHash = '', hash] = url.split('#', 2);
  const [path = '', search = ''] = beforeHash.split('?', 2);
  const kept = search
    .split('&')
    .filter((pair) => pair !== '' && !PARAMETERS.includes(pair.split('=', 1)[0] ?? ''));
  const query = [...kept, `_pid=${encodeURIComponent(pid)}`, `_scnl=${scnl}`].join('&');
  return `${path}?${query}${hash === undefined ? '' : `#${hash}`}`;
}
