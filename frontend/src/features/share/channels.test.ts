import { describe, expect, it } from 'vitest';
import { campaignOf, channelHref, SHARE_CHANNELS } from './channels';

describe('campaignOf', () => {
  it.each([
    ['cms', 'TWITTER', 1110619],
    ['cms', 'FACEBOOK', 1110620],
    ['cms', 'WHATSAPP', 1110621],
    ['cms', 'HSTONG', 1110621],
    ['cms', undefined, 1110621],
    ['edu', 'TWITTER', 1110622],
    ['edu', 'FACEBOOK', 1110623],
    ['edu', 'QQ', 1110624],
    ['edu', undefined, 1110624],
  ] as const)('%s by %s is %i', (subject, channel, id) =>
    expect(campaignOf(subject, channel)).toBe(id),
  );
});

describe('channelHref', () => {
  const shared = {
    url: 'https://sahm.example/en-us/news/content/1?_pid=news&_scnl=2',
    title: 'A & B',
    text: 'What it is…',
  };
  it.each([
    [
      'WHATSAPP',
      'https://wa.me/?text=A%20%26%20B%0Ahttps%3A%2F%2Fsahm.example%2Fen-us%2Fnews%2Fcontent%2F1%3F_pid%3Dnews%26_scnl%3D2',
    ],
    [
      'TWITTER',
      'https://twitter.com/intent/tweet?text=A%20%26%20B&url=https%3A%2F%2Fsahm.example%2Fen-us%2Fnews%2Fcontent%2F1%3F_pid%3Dnews%26_scnl%3D2',
    ],
    [
      'FACEBOOK',
      'https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fsahm.example%2Fen-us%2Fnews%2Fcontent%2F1%3F_pid%3Dnews%26_scnl%3D2',
    ],
    ['WEIXIN', undefined],
    ['WEIXIN_CIRCLE', undefined],
    ['HSTONG', undefined],
  ] as const)('%s', (channel, href) => expect(channelHref(channel, shared)).toBe(href));

  it('passes the whole address to every channel that takes one', () => {
    for (const channel of SHARE_CHANNELS) {
      const href = channelHref(channel, shared);
      if (href) expect([...new URL(href).searchParams.values()].join(' ')).toContain(shared.url);
    }
  });
});
