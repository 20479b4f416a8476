import type { Locale } from '~/lib/locale';
import { loadMessages } from '~/lib/messages/messages';
import { isPageId, loadComponent, PAGES, type PageId } from './pages';

/** Everything that rendering a page needs besides its document: code and texts. */
export async function loadPage(id: PageId, locale: Locale): Promise<void> {
  await Promise.all([
    loadComponent(id),
    loadMessages(locale, 'chrome'),
    ...PAGES[id].messages.map((namespace) => loadMessages(locale, namespace)),
  ]);
}

/** The page id a payload names; an id of another build counts as an error page. */
export function pageIdOf(id: string): PageId {
  return isPageId(id) ? id : 'error';
}
