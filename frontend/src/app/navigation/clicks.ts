import type { RouteObject } from 'react-router';
import { type Locale, localeOfPath } from '~/lib/locale';
import { pageAt } from '../routes';

/** The parts of a link that decide who follows it. */
export type Link = Pick<HTMLAnchorElement, 'href' | 'target' | 'origin' | 'pathname'> & {
  hasAttribute(name: string): boolean;
};

/** Whether the client can show a link's target itself, without loading a document. */
export function isClientLink(
  link: Link,
  origin: string,
  locale: Locale,
  routes: RouteObject[],
): boolean {
  return (
    link.origin === origin &&
    (link.target === '' || link.target === '_self') &&
    !link.hasAttribute('download') &&
    !link.hasAttribute('data-document') &&
    localeOfPath(link.pathname) === locale &&
    pageAt(routes, link.pathname) !== undefined
  );
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
