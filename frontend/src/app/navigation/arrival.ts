import { frameOf, type PagePayload } from '~/lib/page/payload';
import { announce, focusPage } from './focus';
import { syncHead } from './head';

/** Moves head, focus and screen readers to the page that a client navigation shows, then says so. */
export function arriveAt(payload: PagePayload): void {
  syncHead(document, payload);
  focusPage(document, window.location.hash);
  announce(document, frameOf(payload).head?.title ?? '');
  window.dispatchEvent(new Event('sahm:navigated'));
}
