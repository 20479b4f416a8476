import type { DataRouter } from 'react-router';
import type { Shown } from '../data/loader';
import { isClientLink, isHere, isPlainClick, linkOf } from './clicks';

/**
 * Follows the links that the client can show (also those in article texts) and fetches ahead what
 * they lead to. One listener on the document, so that a link is a plain `<a>`.
 */
export function takeOverLinks(router: DataRouter, shown: Shown): void {
  const { visitor } = shown.payload;
  const mine = (link: HTMLAnchorElement) => isClientLink(link, window.location.origin, visitor);

  document.addEventListener('click', (event) => {
    const link = linkOf(event);
    if (!link || !isPlainClick(event) || !mine(link)) return;
    if (link.hash && isHere(link)) return;
    event.preventDefault();
    router.navigate(link.pathname + link.search + link.hash, {
      replace: link.href === location.href,
    });
  });

  // Nobody waits for what is done ahead, or misses it.
  import('./fetch-ahead').then(
    ({ fetchAhead }) => fetchAhead(shown, mine),
    () => {},
  );
}
