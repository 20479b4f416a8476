import { hrefIn } from '~/lib/links/paths';
import type { Locale } from '~/lib/locale';

/** Paths that have no language. */
const WITHOUT_LOCALE = /^\/(?:media|assets|api)\//;

/**
 * The links of a text from the API (`href="/news/…"`, paths without a locale) with the page's
 * prefix, as the server writes them into its documents.
 */
export function prefixLinks(html: string, locale: Locale): string {
  return html.replace(/(<a\b[^>]*?\bhref=")(\/[^"]*)"/g, (whole, before, path: string) =>
    WITHOUT_LOCALE.test(path) ? whole : `${before}${hrefIn(locale, path)}"`,
  );
}
