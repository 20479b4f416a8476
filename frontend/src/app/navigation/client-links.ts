import type { Visitor } from '~/lib/page/payload';
import { type Link, mayBeClientLink } from './links';
import { matchPage } from './match-page';

/** Whether a link's target is shown by client navigation instead of a document load. */
export function isClientLink(
  link: Link,
  origin: string,
  { locale, platform }: Pick<Visitor, 'locale' | 'platform'>,
): boolean {
  const mayBe = mayBeClientLink(link, origin, locale);
  const page = mayBe ? matchPage(locale, link.pathname) : undefined;
  return page !== undefined && !isRedirected(page, platform);
}

/**
 * Whether the server redirects requests for a page (docs/redirects.md): its links load documents.
 */
function isRedirected(page: string, platform: Visitor['platform']): boolean {
  return page.startsWith('activity-') || (platform === 'app' && page.startsWith('education'));
}
