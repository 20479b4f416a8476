import { useState } from 'react';
import type { ArticleJson } from '~/gen/sahm/content/v1/news_pb';
import { importOnInteraction } from '~/lib/import-on-interaction';
import { usePage } from '~/lib/page/page';
import type { Translated } from './translate';

export interface Translation extends Translated {
  loading: boolean;
  translate(): Promise<void>;
  showOriginal(): void;
}

const UNTRANSLATED: Translated & { loading: boolean } = {
  machine: false,
  text: '',
  loading: false,
};

/** Requests an article in the page's language, and keeps the result while it is shown. */
export function useTranslation(original: ArticleJson): Translation {
  const { locale } = usePage();
  const [state, setState] = useState({ ...UNTRANSLATED, of: original.id });
  const shown = state.of === original.id ? state : UNTRANSLATED;
  const show = (next: Translated & { loading: boolean }) => setState({ ...next, of: original.id });
  return {
    ...shown,
    async translate() {
      show({ ...UNTRANSLATED, loading: true });
      const code = await importOnInteraction(locale, () => import('./translate'));
      show({ ...UNTRANSLATED, ...(await code?.translate(original, locale)) });
    },
    showOriginal: () => show(UNTRANSLATED),
  };
}
