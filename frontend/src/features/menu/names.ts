import type { NavigationItemJson } from '~/gen/sahm/config/v1/config_pb';
import type { Locale } from '~/lib/locale';

/** A bilingual field spread over three fields. */
export interface Named {
  name?: string;
  nameEn?: string;
  nameSa?: string;
}

/** The name in the reader's language, else in English, else the bare one. */
export function nameIn(locale: Locale, item: Named): string {
  return pick(locale, item.name, item.nameEn, item.nameSa);
}

/** The description of an item, chosen like its name; empty where there is none. */
export function descriptionIn(
  locale: Locale,
  item: { description?: string; descriptionEn?: string; descriptionSa?: string },
): string {
  return pick(locale, item.description, item.descriptionEn, item.descriptionSa);
}

/** Any bilingual field, chosen like a name. */
export function pick(locale: Locale, bare = '', english = '', arabic = ''): string {
  return (locale === 'ar-sa' ? arabic : english) || english || bare;
}

/** Whether an item with children leads somewhere of its own that none of them leads to. */
export function hasOverview({ url, children = [] }: NavigationItemJson): boolean {
  return Boolean(url) && children.every((child) => child.url !== url);
}
