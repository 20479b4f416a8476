import { isLocale, LOCALES } from './locale';

/** The attributes of text that may not be in the page's language. */
export interface Language {
  lang?: string;
  dir?: 'ltr' | 'rtl';
}

/** Language and direction of a text in `locale`; nothing unless it is `other` than the page's. */
export function languageOf(locale: string | undefined, other: boolean): Language {
  if (!other || !isLocale(locale)) return {};
  const { tag, dir } = LOCALES[locale];
  return { lang: tag, dir };
}
