import { type LoaderFunction, redirectDocument } from 'react-router';
import { mayReload } from '~/lib/chunks';
import type { PagePayload } from '~/lib/page/payload';
import { loadErrorPage, loadWholePage, pageIdOf } from '../load';
import { pageAt } from '../page-at';
import { fetchDocument, payloadOf } from './document';
import { takePrefetched } from './prefetched';

/** What the browser shows now; a navigation takes visitor, build and chrome from it. */
export interface Shown {
  payload: PagePayload;
}

/**
 * The one way to data in the browser: the document of the address, with its page's code and texts
 * loaded beside it. Every failure becomes a page or a document load.
 */
export function documentLoader(shown: Shown): LoaderFunction {
  return async ({ request }) => {
    const { pathname, search, href } = new URL(request.url);
    const url = pathname + search;
    const { build, visitor } = shown.payload;
    const guess = pageAt(visitor.locale, pathname);
    // Only warms: what failed here fails again below, where it counts.
    if (guess) loadWholePage(guess, visitor.locale).catch(() => {});

    const answer = takePrefetched(url) ?? (await fetchDocument(url, shown.payload, request.signal));
    if (answer.kind === 'document') return redirectDocument(answer.url);
    try {
      if (answer.kind === 'page') {
        if (answer.build !== build) return redirectDocument(href);
        await loadWholePage(pageIdOf(answer.page), visitor.locale);
        return payloadOf(url, answer, shown.payload);
      }
      const errorPayload = await loadErrorPage(visitor.locale);
      return errorPayload(shown.payload, answer.status, url);
    } catch (error) {
      // Code that cannot be loaded belongs to another build, or the network is gone.
      if (mayReload()) return redirectDocument(href);
      // Where that cannot be loaded either, the route's own error stands there.
      const errorPayload = await loadErrorPage(visitor.locale);
      if (error instanceof Error) console.warn(error.message);
      return errorPayload(shown.payload, 500, url);
    }
  };
}
