import { describe, expect, it } from 'vitest';
import { sharedUrl } from './useShared';

describe('sharedUrl', () => {
  const from = { pid: 'a b', scnl: 1110621 };
  it.each([
    ['https://sahm.example/en-us/news', 'https://sahm.example/en-us/news?_pid=a%20b&_scnl=1110621'],
    ['/x?tab=2', '/x?tab=2&_pid=a%20b&_scnl=1110621'],
    ['/x?_pid=old&tab=2&_scnl=1&_c=z', '/x?tab=2&_pid=a%20b&_scnl=1110621'],
    ['/x?tab=2#part', '/x?tab=2&_pid=a%20b&_scnl=1110621#part'],
  ])('%s becomes %s', (url, shared) => expect(sharedUrl(url, from)).toBe(shared));
});
