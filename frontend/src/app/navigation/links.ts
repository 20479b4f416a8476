import type { DataRouter } from 'react-router';
import { fetchDocument } from '../data/document';
import type { Shown } from '../data/loader';
import { keepPrefetched } from '../data/prefetched';
import { loadPage } from '../load';
import { pageAt } from '../routes';
import { isClientLink, isPlainClick, linkOf } from './clicks';
import { startPrefetch } from './prefetch';

/**
 * Follows the links that the client can show (also those in article texts) and fetches ahead what
 * they lead to. One listener on the document, so that a link is a plain `<a>`.
 */
export function takeOverLinks(router: DataRouter, shown: Shown): void {
  const { visitor } = shown.payload;
  const { locale } = visitor;
  const mine = (link: HTMLAnchorElement) =>
    isClientLink(link, window.location.origin, visitor, shown.routes);

  document.addEventListener('click', (event) => {
    const link = linkOf(event);
    if (!link || !isPlainClick(event) || !mine(link)) return;
    if (link.hash && isHere(link)) return;
    event.preventDefault();
    router.navigate(link.pathname + link.search + link.hash, {
      replace: link.href === location.href,
    });
  });

  const fetching = new Set<string>();
  const settled = startPrefetch({
    document,
    linkOf,
    isClientLink: mine,
    links: () => [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].filter(mine),
    code(link) {
      const page = pageAt(shown.routes, link.pathname);
      if (page) loadPage(page, locale).catch(() => {});
    },
    data(link) {
      const url = link.pathname + link.search;
      if (fetching.has(url) || isHere(link)) return;
      fetching.add(url);
      fetchDocument(url, shown.payload.build)
        .then((answer) => keepPrefetched(url, answer))
        .catch(() => {})
        .finally(() => fetching.delete(url));
    },
  });
  window.addEventListener('sahm:navigated', settled);
}

function isHere({ pathname, search }: HTMLAnchorElement): boolean {
  return pathname === window.location.pathname && search === window.location.search;
}
