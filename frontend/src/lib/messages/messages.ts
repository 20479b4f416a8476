import { catalogues } from 'virtual:messages';
import { createElement, Fragment, type ReactNode } from 'react';
import type { Namespaces } from '~/gen/messages';
import type { Locale } from '~/lib/locale';
import { usePage } from '~/lib/page/page';
import { type Formatters, formattersOf } from './formatters';

export type Value = string | number;
export type Values = Readonly<Record<string, Value>>;

/** A compiled message: its text, or a function that builds it. */
export type Compiled = string | ((values: Values, format: Formatters) => string);
export type Catalogue = Readonly<Record<string, Compiled>>;

const loaded = new Map<string, Catalogue>();

/** Loads a namespace, so that `useMessages` can return it synchronously. */
export async function loadMessages(locale: Locale, namespace: string): Promise<void> {
  const id = `${locale}/${namespace}`;
  if (loaded.has(id)) return;
  const load = catalogues[id];
  if (load) loaded.set(id, (await load()).default);
}

/** `common` is loaded with every page, other namespaces with the pages that list them. */
export type Namespace = keyof Namespaces;
export type Key<N extends Namespace> = keyof Namespaces[N] & string;

/** Keys of messages without arguments. */
export type PlainKey<N extends Namespace> = {
  [K in Key<N>]: keyof Namespaces[N][K] extends never ? K : never;
}[Key<N>];

type Intersection<U> = (U extends unknown ? (part: U) => void : never) extends (
  whole: infer I,
) => void
  ? I
  : never;

/** The arguments of a message; for a union of keys, the arguments of all. */
type ValuesOf<N extends Namespace, K extends Key<N>> = Intersection<Namespaces[N][K]>;
type Arguments<V> = keyof V extends never ? [] : [values: Readonly<V>];
/** Texts may be elements; numbers and times stay numbers. */
type RichValues<V> = { readonly [P in keyof V]: string extends V[P] ? ReactNode : V[P] };

/** Translates messages of a namespace into the page's language. */
export interface Translate<N extends Namespace> {
  <K extends Key<N>>(key: K, ...values: Arguments<ValuesOf<N, K>>): string;
  /** Like a call, with elements as arguments: `t.rich('by', { name: <bdi>…</bdi> })`. */
  rich<K extends Key<N>>(key: K, values: RichValues<ValuesOf<N, K>>): ReactNode[];
  has(key: string): boolean;
}

export function useMessages<N extends Namespace>(namespace: N): Translate<N> {
  return translator(usePage().locale, namespace);
}

/** A translator without type checks of keys and arguments. */
interface AnyTranslate {
  (key: string, values?: Values): string;
  rich(key: string, values: Readonly<Record<string, ReactNode>>): ReactNode[];
  has(key: string): boolean;
}

const translators = new Map<string, AnyTranslate>();

/** Returns the same object each time, because loaded messages do not change. */
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

// Elements pass through a message as private-use characters and are inserted afterwards.
const MARK = 0xe000;

function markers(values: Readonly<Record<string, ReactNode>>): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value], index) => [
      name,
      typeof value === 'number' ? value : String.fromCharCode(MARK + index),
    ]),
  );
}

/** Replaces the marks in a text by their elements, with the keys that React needs in an array. */
function splice(text: string, values: ReactNode[]): ReactNode[] {
  // Every second part is a mark, because `split` returns what the group matches.
  return text
    .split(/([\ue000-\uf8ff])/)
    .map((part, index) =>
      index % 2 === 0
        ? part
        : createElement(Fragment, { key: index }, values[part.charCodeAt(0) - MARK]),
    )
    .filter((part) => part !== '');
}
