/** The site's languages: one row each, read by everything that depends on language. */
export interface LocaleRow {
  /** As in `<html lang>`. */
  tag: string;
  dir: 'ltr' | 'rtl';
  /** For `Intl`: Gregorian calendar and Western digits in both languages. */
  intl: string;
  /** For dates and lists of names, which English writes the British way. */
  prose: string;
  /** Its own name for itself. */
  name: string;
}

export type Locale = 'en-us' | 'ar-sa';

export const LOCALES: Readonly<Record<Locale, LocaleRow>> = {
  'en-us': { tag: 'en-US', dir: 'ltr', intl: 'en-US', prose: 'en-GB', name: 'English' },
  'ar-sa': {
    tag: 'ar-SA',
    dir: 'rtl',
    intl: 'ar-SA-u-ca-gregory-nu-latn',
    prose: 'ar-SA-u-ca-gregory-nu-latn',
    name: 'العربية',
  },
};

export const LOCALE_IDS = Object.keys(LOCALES) as Locale[];

export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && Object.hasOwn(LOCALES, value);
}

/** The locale a path's first segment names, if any. */
export function localeOfPath(pathname: string): Locale | undefined {
  const start = pathname.indexOf('/') + 1;
  if (start === 0) return undefined;
  const end = pathname.indexOf('/', start);
  const first = pathname.slice(start, end < 0 ? undefined : end);
  return isLocale(first) ? first : undefined;
}

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
