import { catalogues } from 'virtual:messages';
import type { ReactNode } from 'react';
import type { Locale } from '~/lib/locale';
import { usePage } from '~/lib/page/page';
import { type Formatters, formattersOf } from './formatters';
import type { Key, Namespace } from './namespaces';

export type Value = string | number;
export type Values = Readonly<Record<string, Value>>;

/** A message as the build compiles it: its text, or what makes its text. */
export type Compiled = string | ((values: Values, format: Formatters) => string);
export type Catalogue = Readonly<Record<string, Compiled>>;

const loaded = new Map<string, Catalogue>();

/** Loads a namespace; after that `useMessages` has it at once. */
export async function loadMessages(locale: Locale, namespace: string): Promise<void> {
  const id = `${locale}/${namespace}`;
  if (loaded.has(id)) return;
  const load = catalogues[id];
  if (load) loaded.set(id, (await load()).default);
}

/** Texts of one namespace in the page's language. */
export interface Translate<N extends Namespace> {
  (key: Key<N>, values?: Values): string;
  /** The same with elements for values: `t.rich('by', { name: <bdi>…</bdi> })`. */
  rich(key: Key<N>, values: Readonly<Record<string, ReactNode>>): ReactNode[];
  has(key: string): boolean;
}

export function useMessages<N extends Namespace>(namespace: N): Translate<N> {
  return translator(usePage().locale, namespace);
}

const translators = new Map<string, Translate<Namespace>>();

/** The same object each time: what is loaded does not change. */
export function translator<N extends Namespace>(locale: Locale, namespace: N): Translate<N> {
  const id = `${locale}/${namespace}`;
  let known = translators.get(id);
  if (!known) {
    known = translatorOf(locale, namespace);
    translators.set(id, known);
  }
  return known as unknown as Translate<N>;
}

function translatorOf(locale: Locale, namespace: Namespace): Translate<Namespace> {
  const catalogue = loaded.get(`${locale}/${namespace}`);
  if (!catalogue) throw new Error(`messages of ${locale}/${namespace} are not loaded`);
  const format = formattersOf(locale);
  const text = (key: string, values: Values = {}): string => {
    const message = catalogue[key];
    if (message === undefined) throw new Error(`no message ${namespace}:${key}`);
    return typeof message === 'string' ? message : message(values, format);
  };
  const translate = (key: Key<Namespace>, values?: Values) => text(key, values);
  return Object.assign(translate, {
    has: (key: string) => Object.hasOwn(catalogue, key),
    rich: (key: Key<Namespace>, values: Readonly<Record<string, ReactNode>>) =>
      splice(text(key, markers(values)), Object.values(values)),
  });
}

// Elements travel through the message as private-use characters and are put in afterwards.
const MARK = 0xe000;

function markers(values: Readonly<Record<string, ReactNode>>): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value], index) => [
      name,
      typeof value === 'number' ? value : String.fromCharCode(MARK + index),
    ]),
  );
}

function splice(text: string, values: ReactNode[]): ReactNode[] {
  return text
    .split(/([\ue000-\uf8ff])/)
    .filter((part) => part !== '')
    .map((part) => (/^[\ue000-\uf8ff]$/.test(part) ? values[part.charCodeAt(0) - MARK] : part));
}
