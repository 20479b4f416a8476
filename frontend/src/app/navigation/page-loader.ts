import { type LoaderFunction, redirectDocument } from 'react-router';
import { mayReload } from '~/lib/import-or-reload';
import type { PagePayload } from '~/lib/page/payload';
import { fetchDocument, payloadOf, takePrefetched } from '../data/document';
import { loadErrorPage, loadWholePage } from '../load';
import { pageIdOf } from '../pages';
import { matchPage } from './match-page';

/**
 * Loads a page in the browser: its document together with its code and messages. `current` is the
 * page on screen, whose visitor and build a navigation keeps. Every failure becomes an error page
 * or a document load.
 */
export function pageLoader(current: { readonly payload: PagePayload }): LoaderFunction {
  return async ({ request }) => {
    const { pathname, search, href } = new URL(request.url);
    const url = pathname + search;
    const { build, visitor } = current.payload;
    const guess = matchPage(visitor.locale, pathname);
    // Starts loading early. A failure is handled below, where the result is used.
    if (guess) loadWholePage(guess, visitor.locale).catch(() => {});

    const result =
      takePrefetched(url) ?? (await fetchDocument(url, current.payload, request.signal));
    if (result.kind === 'document') return redirectDocument(result.url);
    try {
      if (result.kind === 'page') {
        if (result.build !== build) return redirectDocument(href);
        await loadWholePage(pageIdOf(result.page), visitor.locale);
        return payloadOf(url, result, current.payload);
      }
      const errorPayload = await loadErrorPage(visitor.locale);
      return errorPayload(current.payload, result.status, url);
    } catch (error) {
      // Code that cannot be loaded belongs to another build, or the network is down.
      if (mayReload()) return redirectDocument(href);
      // If that fails too, the route's error boundary takes over.
      const errorPayload = await loadErrorPage(visitor.locale);
      if (error instanceof Error) console.warn(error.message);
      return errorPayload(current.payload, 500, url);
    }
  };
}
