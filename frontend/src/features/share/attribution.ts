/** Cookie of the campaign that brought a visitor, URL-encoded JSON. */
const COOKIE = 'sahm_spm_share_data';
const PARAMETERS = ['_pid', '_scnl', '_c'];

/** The `pid` that the visitor came with; empty where there is none. */
export function pidIn(cookies: string): string {
  const value = cookies
    .split(/;\s*/)
    .find((cookie) => cookie.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1);
  if (!value) return '';
  try {
    const data: unknown = JSON.parse(decodeURIComponent(value));
    const pid = typeof data === 'object' && data !== null && 'pid' in data ? data.pid : '';
    return typeof pid === 'string' || typeof pid === 'number' ? String(pid) : '';
  } catch {
    return '';
  }
}

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
