/**
 * Share channels. `HSTONG` is the app's own community, reached through the bridge; `WEIXIN` and
 * `WEIXIN_CIRCLE` scan a QR code; the others have a share address.
 */
export const SHARE_CHANNELS = [
  'WHATSAPP',
  'TWITTER',
  'FACEBOOK',
  'SINA',
  'QQ',
  'WEIXIN',
  'WEIXIN_CIRCLE',
  'HSTONG',
] as const;

export type ShareChannel = (typeof SHARE_CHANNELS)[number];

/** The channels with a button, in order. */
export const CHANNEL_BUTTONS = [
  { channel: 'WHATSAPP', icon: 'whatsapp' },
  { channel: 'TWITTER', icon: 'x' },
  { channel: 'FACEBOOK', icon: 'facebook' },
] as const;

/** The site section that is shared: news, or education with company articles. */
export type ShareSubject = 'cms' | 'edu';

/** Campaign ids by share channel, for `_scnl`. */
const CAMPAIGNS: Readonly<Record<ShareSubject, Record<'twitter' | 'fb' | 'others', number>>> = {
  cms: { twitter: 1110619, fb: 1110620, others: 1110621 },
  edu: { twitter: 1110622, fb: 1110623, others: 1110624 },
};

/** The campaign of a shared address; copied links have no channel. */
export function campaignOf(subject: ShareSubject, channel?: ShareChannel): number {
  const campaigns = CAMPAIGNS[subject];
  if (channel === 'TWITTER') return campaigns.twitter;
  return channel === 'FACEBOOK' ? campaigns.fb : campaigns.others;
}

/** What a channel receives. */
export interface Shared {
  url: string;
  title: string;
  /** Plain text of at most 80 characters and an ellipsis. */
  text: string;
}

/** The share address of a channel; undefined if it has none. */
export function channelHref(
  channel: ShareChannel,
  { url, title, text }: Shared,
): string | undefined {
  switch (channel) {
    case 'WHATSAPP':
      return withQuery('https://wa.me/', { text: `${title}\n${url}` });
    case 'TWITTER':
      return withQuery('https://twitter.com/intent/tweet', { text: title, url });
    case 'FACEBOOK':
      return withQuery('https://www.facebook.com/sharer/sharer.php', { u: url });
    case 'SINA':
      return withQuery('https://service.weibo.com/share/share.php', { url, title });
    case 'QQ':
      return withQuery('https://connect.qq.com/widget/shareqq/index.html', {
        url,
        title,
        summary: text,
      });
    default:
      return undefined;
  }
}

function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  // Not every channel decodes `+` as a space.
  return `${address}?${new URLSearchParams(query).toString().replaceAll('+', '%20')}`;
}
