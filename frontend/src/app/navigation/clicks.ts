import { localeOfPath } from '~/lib/locale';
import type { Visitor } from '~/lib/page/payload';
import { pageAt } from '../page-at';

/** The parts of a link that decide who follows it. */
export type Link = Pick<HTMLAnchorElement, 'href' | 'target' | 'origin' | 'pathname'> & {
  hasAttribute(name: string): boolean;
};

/** Whether the client can show a link's target itself, without loading a document. */
export function isClientLink(
  link: Link,
  origin: string,
  { locale, platform }: Pick<Visitor, 'locale' | 'platform'>,
): boolean {
  const mayBe =
    link.origin === origin &&
    (link.target === '' || link.target === '_self') &&
    !link.hasAttribute('download') &&
    !link.hasAttribute('data-document') &&
    localeOfPath(link.pathname) === locale;
  const page = mayBe ? pageAt(locale, link.pathname) : undefined;
  return page !== undefined && !isRedirected(page, platform);
}

/** Whether the server redirects what leads to a page (docs/redirects.md): then its links load documents. */
function isRedirected(page: string, platform: Visitor['platform']): boolean {
  return page.startsWith('activity-') || (platform === 'app' && page.startsWith('education'));
}

/** Whether a click asks for the link itself, and not for a new tab, a download or a menu. */
export function isPlainClick(event: MouseEvent): boolean {
  return (
    !event.defaultPrevented &&
    event.button === 0 &&
    !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  );
}

/** The link an event happened in. */
export function linkOf(event: Event): HTMLAnchorElement | undefined {
  const target = event.target;
  const link = target instanceof Element ? target.closest('a[href]') : null;
  return link instanceof HTMLAnchorElement ? link : undefined;
}

/** Whether a link leads to the page that the address bar names, or to a place of it. */
export function isHere({ pathname, search }: HTMLAnchorElement): boolean {
  return pathname === window.location.pathname && search === window.location.search;
}
