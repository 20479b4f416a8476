import type { Catalogues } from '../messages/catalogues.ts';
import type { Texts } from '../messages/check.ts';
import { socialImageOf } from './social-images.ts';

export interface HeadText {
  title: string;
  description: string;
  /** Path of the page's `og:image`. */
  image: string;
}

/** Head texts by page and locale from `head.json`: `{page}.title`, `{page}.description`. */
export function headsOf(
  catalogues: Catalogues,
  pages: string[],
): { heads: Record<string, Record<string, HeadText>>; problems: string[] } {
  const problems: string[] = [];
  const heads: Record<string, Record<string, HeadText>> = {};
  for (const locale of catalogues.locales) {
    const texts = catalogues.texts(locale, 'head');
    for (const page of pages) {
      const title = texts[`${page}.title`];
      const description = texts[`${page}.description`];
      if (!title || !description) {
        problems.push(`messages/${locale}/head.json lacks title or description of ${page}`);
        continue;
      }
      heads[page] ??= {};
      heads[page][locale] = { title, description, image: `/${socialImageOf(page, locale)}` };
    }
  }
  return { heads, problems };
}

/** Texts of the gateway by locale: for shells, and for errors without a page. */
export function shellTextsOf(catalogues: Catalogues): Record<string, Texts> {
  return byLocale(catalogues, (locale) => {
    const shell = catalogues.texts(locale, 'shell');
    return {
      noscript: text(shell, 'noscript'),
      unavailableTitle: text(shell, 'unavailable'),
      unavailableText: text(catalogues.texts(locale, 'error'), 'text'),
      home: text(shell, 'home'),
    };
  });
}

/** The site's name by locale. */
export function siteNamesOf(catalogues: Catalogues): Record<string, string> {
  return byLocale(catalogues, (locale) => text(catalogues.texts(locale, 'common'), 'site-name'));
}

function byLocale<T>(catalogues: Catalogues, make: (locale: string) => T): Record<string, T> {
  return Object.fromEntries(catalogues.locales.map((locale) => [locale, make(locale)]));
}

function text(texts: Texts, key: string): string {
  const value = texts[key];
  if (!value) throw new Error(`the gateway needs the text ${key}`);
  return value;
}
