import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemsOf, type Texts } from './check.ts';

/** Namespaces that only the gateway reads. */
const GATEWAY_NAMESPACES = ['head', 'shell'];

/** The catalogues in `messages/{locale}/{namespace}.json`. */
export class Catalogues {
  readonly locales: string[];
  private readonly root: string;

  constructor(root: string) {
    this.root = root;
    this.locales = readdirSync(root).sort();
  }

  /** The namespaces of any locale. */
  get namespaces(): string[] {
    const names = this.locales.flatMap((locale) =>
      readdirSync(join(this.root, locale)).filter((name) => name.endsWith('.json')),
    );
    return [...new Set(names.map((name) => name.slice(0, -'.json'.length)))].sort();
  }

  /** The namespaces that pages read. */
  get pageNamespaces(): string[] {
    return this.namespaces.filter((namespace) => !GATEWAY_NAMESPACES.includes(namespace));
  }

  file(locale: string, namespace: string): string {
    return join(this.root, locale, `${namespace}.json`);
  }

  texts(locale: string, namespace: string): Texts {
    return JSON.parse(readFileSync(this.file(locale, namespace), 'utf8')) as Texts;
  }

  problems(): string[] {
    return this.namespaces.flatMap((namespace) => {
      const byLocale = new Map(
        this.locales.map((locale) => [locale, this.textsOrNone(locale, namespace)]),
      );
      return problemsOf(namespace, byLocale);
    });
  }

  private textsOrNone(locale: string, namespace: string): Texts {
    const exists = readdirSync(join(this.root, locale)).includes(`${namespace}.json`);
    return exists ? this.texts(locale, namespace) : {};
  }
}
