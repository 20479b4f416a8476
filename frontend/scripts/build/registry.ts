import type { BuiltPage } from './assets.ts';
import { inFrontend } from './paths.ts';

type Registry = Readonly<Record<string, { messages: readonly string[]; load(): unknown }>>;

/** The page that stands in no route. */
const ERROR_PAGE = 'error';

/** Routes without a page, and pages without a route. */
export function routeProblems(routes: readonly { id: string }[], pages: Registry): string[] {
  const ids = new Set(routes.map(({ id }) => id));
  return [
    ...[...ids]
      .filter((id) => !Object.hasOwn(pages, id))
      .map((id) => `routes.json: ${id} has no page in src/app/pages.ts`),
    ...Object.keys(pages)
      .filter((id) => id !== ERROR_PAGE && !ids.has(id))
      .map((id) => `src/app/pages.ts: ${id} is not in routes.json`),
  ];
}

/** The registry's pages with the files that their loaders import. */
export function builtPages(pages: Registry): BuiltPage[] {
  return Object.entries(pages).map(([id, { messages, load }]) => {
    const module = /import\(['"]~\/([^'"]+)['"]\)/.exec(load.toString())?.[1];
    if (!module) throw new Error(`src/app/pages.ts: ${id} imports no page`);
    return { id, messages, module: inFrontend(`src/${module}.tsx`) };
  });
}
