import { getArticle, translateArticle } from '~/gen/operations';
import type { ArticleJson } from '~/gen/sahm/content/v1/news_pb';
import { ApiError, CODE_SIGNATURE_INVALID, errorText, post } from '~/lib/api';
import { hrefIn } from '~/lib/links/paths';
import type { Locale } from '~/lib/locale';

/** What came of asking for an article in another language. */
export interface Translated {
  /** Absent when there is none. */
  article?: ArticleJson;
  /** A machine made it. */
  machine: boolean;
  /** There is no translation: the page itself says that the article has one language. */
  isMissing?: boolean;
  /** Why the call failed, for people. */
  text: string;
}

/** An article in the page's language, as far as there is one; never rejects. */
export async function translate(original: ArticleJson, locale: Locale): Promise<Translated> {
  try {
    const { article, machineTranslated } = await ask(original, locale);
    if (!article) return { machine: false, isMissing: true, text: '' };
    const bodyHtml = prefixLinks(article.bodyHtml ?? '', locale);
    return { article: { ...article, bodyHtml }, machine: machineTranslated, text: '' };
  } catch (error) {
    const failure = error instanceof ApiError ? error : new ApiError('service');
    return { machine: false, text: errorText(failure, locale) };
  }
}

/** The sign of a page that was kept for long has run out: a new one comes with the article. */
async function ask({ id = '', sign = '' }: ArticleJson, locale: Locale) {
  const withSign = (valid: string) => post(translateArticle, { id, sign: valid }, { locale });
  try {
    return await withSign(sign);
  } catch (error) {
    const expired = error instanceof ApiError && error.code === CODE_SIGNATURE_INVALID;
    if (!expired) throw error;
    const fresh = await post(getArticle, { id }, { locale });
    return await withSign(fresh.article?.sign ?? '');
  }
}

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
