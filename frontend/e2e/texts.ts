import { readFileSync } from 'node:fs';
import type { Locale } from '../src/lib/locale.ts';

/** The messages of a namespace in the catalogue. */
export function textsOf(locale: Locale, namespace: string): (key: string) => string {
  const file = new URL(`../messages/${locale}/${namespace}.json`, import.meta.url);
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  return (key) => {
    const text = texts[key];
    if (text === undefined) throw new Error(`${namespace} of ${locale} has no '${key}'`);
    return text;
  };
}
