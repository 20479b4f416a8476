import { catalogues } from 'virtual:messages';
import type { ReactNode } from 'react';
import type { Namespaces } from '~/gen/messages';
import type { Locale } from '~/lib/locale';
import { usePage } from '~/lib/page/page';
import { type Formatters, formattersOf } from './formatters';

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

/** `chrome` is loaded with every page, the other namespaces with the pages that name them. */
export type Namespace = keyof Namespaces;
export type Key<N extends Namespace> = keyof Namespaces[N] & string;

/** The keys of messages that take no values. */
export type PlainKey<N extends Namespace> = {
  [K in Key<N>]: keyof Namespaces[N][K] extends never ? K : never;
}[Key<N>];

type Intersection<U> = (U extends unknown ? (part: U) => void : never) extends (
  whole: infer I,
) => void
  ? I
  : never;

/** The values of a message; of a key that may be one of several, those of all of them. */
type ValuesOf<N extends Namespace, K extends Key<N>> = Intersection<Namespaces[N][K]>;
type Arguments<V> = keyof V extends never ? [] : [values: Readonly<V>];
/** Elements may stand for texts; what is counted or formatted stays a number. */
type RichValues<V> = { readonly [P in keyof V]: string extends V[P] ? ReactNode : V[P] };

/** Texts of one namespace in the page's language. */
export interface Translate<N extends Namespace> {
  <K extends Key<N>>(key: K, ...values: Arguments<ValuesOf<N, K>>): string;
  /** The same with elements for values: `t.rich('by', { name: <bdi>…</bdi> })`. */
  rich<K extends Key<N>>(key: K, values: RichValues<ValuesOf<N, K>>): ReactNode[];
  has(key: string): boolean;
}

export function useMessages<N extends Namespace>(namespace: N): Translate<N> {
  return translator(usePage().locale, namespace);
}

/** A translator whose keys and values are not checked. */
interface AnyTranslate {
  (key: string, values?: Values): string;
  rich(key: string, values: Readonly<Record<string, ReactNode>>): ReactNode[];
  has(key: string): boolean;
}

const translators = new Map<string, AnyTranslate>();

/** The same object each time: what is loaded does not change. */
export function translator<N extends Namespace>(locale: Locale, namespace: N): Translate<N> {
  const id = `${locale}/${namespace}`;
  let known = translators.get(id);
  if (!known) {
    known = translatorOf(locale, namespace);
    translators.set(id, known);
  }
  return known as Translate<N>;
}

function translatorOf(locale: Locale, namespace: Namespace): AnyTranslate {
  const catalogue = loaded.get(`${locale}/${namespace}`);
  if (!catalogue) throw new Error(`messages of ${locale}/${namespace} are not loaded`);
  const format = formattersOf(locale);
  const text = (key: string, values: Values = {}): string => {
    const message = catalogue[key];
    if (message === undefined) throw new Error(`no message ${namespace}:${key}`);
    return typeof message === 'string' ? message : message(values, format);
  };
  return Object.assign(text, {
    has: (key: string) => Object.hasOwn(catalogue, key),
    rich: (key: string, values: Readonly<Record<string, ReactNode>>) =>
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
