import type { Locale } from '~/lib/locale';
import { loadMessages } from '~/lib/messages/messages';
import { loadLazyParts } from '~/lib/page/lazy-hydrate';
import { loadPageComponent, type PageId, pageIdOf } from './pages';

/** Loads the code and messages that a page's first render needs. */
export async function loadPage(id: PageId, locale: Locale): Promise<void> {
  const loadTexts = (namespace: string) => loadMessages(locale, namespace);
  await Promise.all([
    loadTexts('common'),
    loadPageComponent(id).then(({ messages }) => Promise.all(messages.map(loadTexts))),
  ]);
}

/** Loads a page with its lazily hydrated parts. */
export async function loadWholePage(id: PageId, locale: Locale): Promise<void> {
  await loadPage(id, locale);
  await loadLazyParts(locale);
}

/** Loads the error page and returns a function that builds its payload. */
export async function loadErrorPage(locale: Locale) {
  const [{ errorPayload }] = await Promise.all([
    import('~/pages/error/ErrorPage'),
    loadPage(pageIdOf('error'), locale),
  ]);
  return errorPayload;
}
