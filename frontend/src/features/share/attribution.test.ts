import { describe, expect, it } from 'vitest';
import { pidIn, sharedUrl } from './attribution';

describe('pidIn', () => {
  const cookie = (data: unknown) =>
    `lang=en-us; sahm_spm_share_data=${encodeURIComponent(JSON.stringify(data))}; x=1`;
  it.each([
    [cookie({ pid: 'friend-7', scnl: '1' }), 'friend-7'],
    [cookie({ pid: 12 }), '12'],
    [cookie({ scnl: '1' }), ''],
    [cookie(null), ''],
    [cookie({ pid: { a: 1 } }), ''],
    ['sahm_spm_share_data=%7Bbroken', ''],
    ['sahm_spm_share_data=%', ''],
    ['other_sahm_spm_share_data=%7B%22pid%22%3A%221%22%7D', ''],
    ['', ''],
  ])('%s', (cookies, pid) => expect(pidIn(cookies)).toBe(pid));
});

describe('sharedUrl', () => {
  const from = { pid: 'a b', scnl: 1110621 };
  it.each([
    ['https://sahm.example/en-us/news', 'https://sahm.example/en-us/news?_pid=a%20b&_scnl=1110621'],
    ['/x?tab=2', '/x?tab=2&_pid=a%20b&_scnl=1110621'],
    ['/x?_pid=old&tab=2&_scnl=1&_c=z', '/x?tab=2&_pid=a%20b&_scnl=1110621'],
    ['/x?tab=2#part', '/x?tab=2&_pid=a%20b&_scnl=1110621#part'],
  ])('%s becomes %s', (url, shared) => expect(sharedUrl(url, from)).toBe(shared));
});
