import type { Locale } from '~/lib/locale';
import { loadMessages } from '~/lib/messages/messages';
import { loadLateParts } from '~/lib/page/late';
import { isPageId, loadComponent, PAGES, type PageId } from './pages';

/** Everything that a page's first render needs besides its document: code and texts. */
export async function loadPage(id: PageId, locale: Locale): Promise<void> {
  await Promise.all([
    loadComponent(id),
    loadMessages(locale, 'chrome'),
    ...PAGES[id].messages.map((namespace) => loadMessages(locale, namespace)),
  ]);
}

/** The same with its late parts, for a page that is rendered whole at once. */
export async function loadWholePage(id: PageId, locale: Locale): Promise<void> {
  await loadPage(id, locale);
  await loadLateParts(locale);
}

/** Loads the error page and gives what makes its payload. */
export async function loadErrorPage(locale: Locale) {
  const [{ errorPayload }] = await Promise.all([
    import('~/pages/error/ErrorPage'),
    loadPage('error', locale),
  ]);
  return errorPayload;
}

/** The page id a payload names; an id of another build counts as an error page. */
export function pageIdOf(id: string): PageId {
  return isPageId(id) ? id : 'error';
}
