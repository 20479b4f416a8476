import type { ErrorPageJson } from '~/gen/sahm/page/v1/page_pb';
import { sitePathOf } from '~/lib/links/paths';
import { translator } from '~/lib/messages/messages';
import { frameOf, type PagePayload } from '~/lib/page/payload';
import { errorTitle } from '~/lib/status';

/**
 * Builds the error page in the layout of the previous page, if the server did not send one. Its
 * messages must be loaded.
 */
export function errorPayload(shown: PagePayload, status: number, url = shown.url): PagePayload {
  const { layoutData, member } = frameOf(shown);
  const { build, visitor } = shown;
  const title = translator(visitor.locale, 'error')(errorTitle(navigator.onLine, status));
  const document: ErrorPageJson = {
    status,
    frame: {
      page: 'error',
      layout: 'default',
      locale: visitor.locale,
      path: sitePathOf(url.split('?', 1)[0] ?? ''),
      renderedAt: Math.floor(Date.now() / 1000),
      head: { title, noindex: true },
      ...(layoutData && { layoutData }),
      ...(member && { member }),
    },
  };
  return { build, visitor, url, page: 'error', document };
}
