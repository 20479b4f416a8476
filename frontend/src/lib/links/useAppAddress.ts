import { usePage } from '~/lib/page/page';

/** The target of the app's QR code: the link for all stores, else the download page. */
export function useAppAddress(): string {
  const { frame, locale } = usePage();
  const oneLink = frame.layoutData?.stores?.find(({ id }) => id === 'one-link')?.url;
  if (oneLink) return oneLink;
  const [origin = ''] = /^https?:\/\/[^/]+/.exec(frame.head?.canonical ?? '') ?? [];
  return `${origin}/${locale}/download`;
}
