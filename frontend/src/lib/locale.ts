/** A language of the site; everything that depends on the language reads this table. */
export interface LocaleRow {
  /** The value of `<html lang>`. */
  tag: string;
  dir: 'ltr' | 'rtl';
  /** The `Intl` locale: Gregorian calendar and Western digits in both languages. */
  intl: string;
  /** The `Intl` locale of dates and lists; British for English. */
  prose: string;
  /** The language's own name. */
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

/** The locale in a path's first segment, if any. */
export function localeOfPath(pathname: string): Locale | undefined {
  const first = pathname.split('/', 2)[1];
  return isLocale(first) ? first : undefined;
}

/** Attributes of a text that may be in another language than the page. */
export interface Language {
  lang?: string;
  dir?: 'ltr' | 'rtl';
}

/** Language and direction of a text; none if it is in the page's language. */
export function languageOf(locale: string | undefined, other: boolean): Language {
  if (!other || !isLocale(locale)) return {};
  const { tag, dir } = LOCALES[locale];
  return { lang: tag, dir };
}
