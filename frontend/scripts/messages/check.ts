import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

export type Texts = Readonly<Record<string, string>>;

/**
 * Differences between the locales of a namespace: keys missing in one of them, arguments that only
 * one of them takes, and missing plural forms of a language (Arabic has six).
 */
export function problemsOf(namespace: string, byLocale: ReadonlyMap<string, Texts>): string[] {
  const problems: string[] = [];
  const keys = new Set([...byLocale.values()].flatMap((texts) => Object.keys(texts)));
  for (const key of keys) {
    const taken = new Map<string, string>();
    for (const [locale, texts] of byLocale) {
      const where = `messages/${locale}/${namespace}.json: ${key}`;
      const text = texts[key];
      if (text === undefined) problems.push(`${where} is missing`);
      else if (typeof text !== 'string') problems.push(`${where} is not a text`);
      else problems.push(...messageProblems(where, locale, text, taken));
    }
    if (new Set(taken.values()).size > 1) {
      const sides = [...taken].map(([locale, names]) => `${locale} {${names}}`).join(', ');
      problems.push(`${namespace}:${key} takes different values: ${sides}`);
    }
  }
  return problems;
}

function messageProblems(
  where: string,
  locale: string,
  text: string,
  taken: Map<string, string>,
): string[] {
  if (text.trim() === '') return [`${where} is empty`];
  try {
    const elements = parse(text, { ignoreTag: true, captureLocation: false });
    const names = new Set<string>();
    const problems = walk(elements, where, locale, names);
    taken.set(locale, [...names].sort().join(', '));
    return problems;
  } catch (error) {
    return [`${where}: ${error instanceof Error ? error.message : error}`];
  }
}

function walk(
  elements: MessageFormatElement[],
  where: string,
  locale: string,
  names: Set<string>,
): string[] {
  const problems: string[] = [];
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    names.add(element.value);
    if (element.type === TYPE.plural) {
      const type = element.pluralType ?? 'cardinal';
      const needed = new Intl.PluralRules(locale, { type }).resolvedOptions().pluralCategories;
      for (const form of needed) {
        if (!element.options[form]) problems.push(`${where} lacks the plural form ${form}`);
      }
    }
    if (element.type === TYPE.plural || element.type === TYPE.select) {
      for (const option of Object.values(element.options)) {
        problems.push(...walk(option.value, where, locale, names));
      }
    }
  }
  return problems;
}
