import { renderToString } from 'react-dom/server';
import { LOCALE_IDS } from '~/lib/locale';
import type { PagePayload } from '~/lib/page/payload';
import { loadWholePage, pageIdOf } from './load';
import { pageTree } from './page-tree';
import { PAGES, type PageId } from './pages';

/** Loads every page's code and texts, so that rendering waits for nothing. */
export async function loadAllPages(): Promise<PageId[]> {
  const pages = Object.keys(PAGES) as PageId[];
  await Promise.all(
    pages.flatMap((page) => LOCALE_IDS.map((locale) => loadWholePage(page, locale))),
  );
  return pages;
}

/** The inner HTML of `#root`: a pure function of the payload. Rejects when a component throws. */
export async function renderPage(payload: PagePayload): Promise<string> {
  return renderToString(await pageTree(payload));
}

/** Whether this build has the payload's page. */
export function canRender(payload: PagePayload): boolean {
  return payload.page === pageIdOf(payload.page);
}
