import { type Locale, localeOfPath } from '~/lib/locale';

/** The parts of a link that decide how it is followed. */
export type Link = Pick<HTMLAnchorElement, 'href' | 'target' | 'origin' | 'pathname'> & {
  hasAttribute(name: string): boolean;
};

/** Whether a link leads to the same site and language in the same window. */
export function mayBeClientLink(link: Link, origin: string, locale: Locale): boolean {
  return (
    link.origin === origin &&
    (link.target === '' || link.target === '_self') &&
    !link.hasAttribute('download') &&
    !link.hasAttribute('data-document') &&
    localeOfPath(link.pathname) === locale
  );
}

/** Whether a click follows the link, and does not open a new tab, a download or a menu. */
export function isPlainClick(event: MouseEvent): boolean {
  return (
    !event.defaultPrevented &&
    event.button === 0 &&
    !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  );
}

/** The link that contains an event's target. */
export function linkOf(event: Event): HTMLAnchorElement | undefined {
  const target = event.target;
  const link = target instanceof Element ? target.closest('a[href]') : null;
  return link instanceof HTMLAnchorElement ? link : undefined;
}

/** Whether a link leads to the current page or to an anchor in it. */
export function isHere({ pathname, search }: HTMLAnchorElement): boolean {
  return pathname === window.location.pathname && search === window.location.search;
}
