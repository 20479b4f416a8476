import { fetchDocument } from '../data/document';
import type { Shown } from '../data/loader';
import { keepPrefetched } from '../data/prefetched';
import { loadPage } from '../load';
import { pageAt } from '../page-at';
import { isHere, linkOf } from './clicks';
import { startPrefetch } from './prefetch';

// In one chunk: navigations need it as soon as there are links to follow.
export { documentLoader } from '../data/loader';
export { arriveAt } from './arrival';
export { announce } from './focus';
export { syncHead } from './head';

/** Fetches ahead what the client's links (`mine`) lead to: code and documents. */
export function fetchAhead(shown: Shown, mine: (link: HTMLAnchorElement) => boolean): void {
  const { locale } = shown.payload.visitor;
  const fetching = new Set<string>();
  const settled = startPrefetch({
    document,
    linkOf,
    isClientLink: mine,
    links: () => document.querySelectorAll<HTMLAnchorElement>('a[href]'),
    code(link) {
      const page = pageAt(locale, link.pathname);
      if (page) loadPage(page, locale).catch(() => {});
    },
    data(link) {
      const url = link.pathname + link.search;
      if (fetching.has(url) || isHere(link)) return;
      fetching.add(url);
      fetchDocument(url, shown.payload)
        .then((answer) => keepPrefetched(url, answer))
        .catch(() => {})
        .finally(() => fetching.delete(url));
    },
  });
  window.addEventListener('sahm:navigated', settled);
}
