import { getArticle, translateArticle } from '~/gen/operations';
import type { ArticleJson } from '~/gen/sahm/content/v1/news_pb';
import { ApiError, apiErrorOf, CODE_SIGNATURE_INVALID, errorText, post } from '~/lib/api';
import { hrefIn } from '~/lib/links/paths';
import type { Locale } from '~/lib/locale';

/** The result of requesting an article in another language. */
export interface Translated {
  /** Absent if there is no translation. */
  article?: ArticleJson;
  /** Machine translation. */
  machine: boolean;
  /** There is no translation; the page already says that the article exists in one language. */
  isMissing?: boolean;
  /** Why the call failed, for visitors. */
  text: string;
}

/** The article in the page's language if there is a translation; never rejects. */
export async function translate(original: ArticleJson, locale: Locale): Promise<Translated> {
  try {
    const { article, machineTranslated } = await ask(original, locale);
    if (!article) return { machine: false, isMissing: true, text: '' };
    const bodyHtml = prefixLinks(article.bodyHtml ?? '', locale);
    return { article: { ...article, bodyHtml }, machine: machineTranslated, text: '' };
  } catch (error) {
    const failure = apiErrorOf(error);
    return { machine: false, text: errorText(failure, locale) };
  }
}

/**
 * The signature of a page that was open for long has expired: the article call returns a new one.
 */
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

/** Paths without a language. */
const WITHOUT_LOCALE = /^\/(?:media|assets|api)\//;

/**
 * Adds the page's locale prefix to links in a text from the API (`href="/news/…"`), as the server
 * does in its documents.
 */
export function prefixLinks(html: string, locale: Locale): string {
  return html.replace(/(<a\b[^>]*?\bhref=")(\/[^"]*)"/g, (whole, before, path: string) =>
    WITHOUT_LOCALE.test(path) ? whole : `${before}${hrefIn(locale, path)}"`,
  );
}
