import type { Plugin } from 'vite';
import { Catalogues } from './catalogues.ts';
import { compileMessage } from './compile.ts';

const INDEX = '\0virtual:messages';
const CATALOGUE_PREFIX = 'virtual:messages/';

/**
 * `virtual:messages`: the loaders of all catalogues by `{locale}/{namespace}`, each a module of
 * texts and compiled functions, so that no ICU parser reaches the browser.
 */
export function messagesPlugin(root: string): Plugin {
  const catalogues = new Catalogues(root);
  return {
    name: 'sahm-messages',
    resolveId(id) {
      return id === 'virtual:messages' || id.startsWith(CATALOGUE_PREFIX) ? `\0${id}` : undefined;
    },
    load(id) {
      if (id === INDEX) return index(catalogues);
      if (!id.startsWith(`\0${CATALOGUE_PREFIX}`)) return undefined;
      const [locale = '', namespace = ''] = id.slice(CATALOGUE_PREFIX.length + 1).split('/');
      this.addWatchFile(catalogues.file(locale, namespace));
      return moduleOf(catalogues.texts(locale, namespace), `${locale}/${namespace}`);
    },
  };
}

function index(catalogues: Catalogues): string {
  const rows = catalogues.locales.flatMap((locale) =>
    catalogues.pageNamespaces.map((namespace) => `${locale}/${namespace}`),
  );
  const loaders = rows.map((id) => `${JSON.stringify(id)}:()=>import("${CATALOGUE_PREFIX}${id}")`);
  return `export const catalogues={${loaders.join(',\n')}};`;
}

function moduleOf(texts: Readonly<Record<string, string>>, id: string): string {
  const rows = Object.entries(texts).map(([key, text]) => {
    try {
      return `${JSON.stringify(key)}:${compileMessage(text)}`;
    } catch (error) {
      throw new Error(
        `messages/${id}.json: ${key}: ${error instanceof Error ? error.message : error}`,
      );
    }
  });
  return `export default{${rows.join(',\n')}};`;
}
