import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { LOCALE_IDS } from '~/lib/locale';
import type { PagePayload } from '~/lib/page/payload';
import { App } from './App';
import { loadWholePage } from './load';
import { PAGE_IDS, type PageId, pageIdOf } from './pages';

/** Loads every page's code and messages, so that rendering is synchronous. */
export async function loadAllPages(): Promise<PageId[]> {
  await Promise.all(
    PAGE_IDS.flatMap((page) => LOCALE_IDS.map((locale) => loadWholePage(page, locale))),
  );
  return PAGE_IDS;
}

/**
 * Renders the inner HTML of `#root`: a pure function of the payload. Rejects if a component throws.
 */
export async function renderPage(payload: PagePayload): Promise<string> {
  return renderToString(
    <StrictMode>
      <App payload={payload} />
    </StrictMode>,
  );
}

/** Whether this build has the payload's page. */
export function canRender(payload: PagePayload): boolean {
  return payload.page === pageIdOf(payload.page);
}
