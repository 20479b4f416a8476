import { useState } from 'react';
import type {
  ArticleJson,
  GetArticleResponseJson,
  TranslateArticleResponseJson,
} from '~/gen/sahm/content/v1/news_pb';
import { ApiFailure, call, failureText } from '~/lib/api';
import { CODE_SIGNATURE_INVALID } from '~/lib/constants';
import type { Locale } from '~/lib/locale';
import { usePage } from '~/lib/page/page';
import { prefixLinks } from './prefix-links';

export interface Translation {
  state: 'idle' | 'loading' | 'shown';
  /** The translated article, while it is shown. */
  article?: ArticleJson | undefined;
  /** A machine made it. */
  machine: boolean;
  /** Why there is none, for people. */
  text: string;
  translate(): Promise<void>;
  showOriginal(): void;
}

const IDLE = { state: 'idle', machine: false, text: '' } as const;

/** Asks for an article in the page's language, and keeps what came. */
export function useTranslation(original: ArticleJson): Translation {
  const { locale } = usePage();
  const [shown, setShown] = useState<Omit<Translation, 'translate' | 'showOriginal'>>(IDLE);
  const [last, setLast] = useState(original.id);
  if (last !== original.id) {
    setLast(original.id);
    setShown(IDLE);
  }

  async function translate() {
    setShown({ ...IDLE, state: 'loading' });
    try {
      const { article, machineTranslated = false, text = '' } = await ask(original, locale);
      if (!article) {
        setShown({ ...IDLE, text });
        return;
      }
      const bodyHtml = prefixLinks(article.bodyHtml ?? '', locale);
      const translated = { ...article, bodyHtml };
      setShown({ state: 'shown', article: translated, machine: machineTranslated, text: '' });
    } catch (error) {
      const failure = error instanceof ApiFailure ? error : new ApiFailure('service');
      setShown({ ...IDLE, text: failureText(failure, locale) });
    }
  }
  return { ...shown, translate, showOriginal: () => setShown(IDLE) };
}

/** The sign of a page that was kept for long has run out: a new one comes with the article. */
async function ask(
  { id = '', sign = '' }: ArticleJson,
  locale: Locale,
): Promise<TranslateArticleResponseJson> {
  const translate = (valid: string) =>
    call<TranslateArticleResponseJson>('/news/content/translate', { id, sign: valid }, { locale });
  try {
    return await translate(sign);
  } catch (error) {
    const expired = error instanceof ApiFailure && error.code === CODE_SIGNATURE_INVALID;
    if (!expired) throw error;
    const fresh = await call<GetArticleResponseJson>('/news/content/detail', { id }, { locale });
    return await translate(fresh.article?.sign ?? '');
  }
}
