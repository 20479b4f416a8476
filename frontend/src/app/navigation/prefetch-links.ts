import type { PagePayload } from '~/lib/page/payload';
import { fetchDocument, keepPrefetched } from '../data/document';
import { loadPage } from '../load';
import { addScriptLink, readPageScripts } from '../page-scripts';
import { isClientLink } from './client-links';
import { isHere, linkOf } from './links';
import { matchPage } from './match-page';
import { mayPrefetchHere, PREFETCH_IDLE_MS, startPrefetch } from './prefetch';
import type { RouterHost } from './RouterHost';

/**
 * Prefetches the targets of client links: documents of links in view, and also the code of a
 * hovered or focused link.
 */
export function prefetchLinks(payload: PagePayload, host: RouterHost): void {
  const { visitor } = payload;
  const { locale } = visitor;
  const fetching = new Set<string>();
  const onNavigated = startPrefetch({
    document,
    linkOf,
    isClientLink: (link) => isClientLink(link, window.location.origin, visitor),
    links: () => document.querySelectorAll<HTMLAnchorElement>('a[href]'),
    prefetchCode(link) {
      host.load().catch(() => {});
      const page = matchPage(locale, link.pathname);
      if (page) loadPage(page, locale).catch(() => {});
    },
    prefetchData(link) {
      const url = link.pathname + link.search;
      if (fetching.has(url) || isHere(link)) return;
      fetching.add(url);
      fetchDocument(url, payload)
        .then((result) => keepPrefetched(url, result))
        .catch(() => {})
        .finally(() => fetching.delete(url));
    },
  });
  window.addEventListener('sahm:navigated', onNavigated);
  prefetchScripts();
}

/** Prefetches scripts that later parts of the visit import, so that they work offline. */
function prefetchScripts(): void {
  if (!mayPrefetchHere(window)) return;
  setTimeout(() => {
    for (const script of readPageScripts().prefetch) addScriptLink('prefetch', script);
  }, PREFETCH_IDLE_MS);
}
