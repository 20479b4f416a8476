import { basename } from 'node:path';
import { createServer } from 'vite';
import type { BuiltPage } from './assets.ts';
import { inFrontend } from './paths.ts';

/** The only page without a route. */
const ERROR_PAGE = 'error';

/** Routes without a page, and pages without a route. */
export function routeProblems(
  routes: readonly { id: string }[],
  pages: readonly { id: string }[],
): string[] {
  const [routed, registered] = [routes, pages].map((all) => new Set(all.map(({ id }) => id)));
  return [
    ...routes
      .filter(({ id }) => !registered?.has(id))
      .map(({ id }) => `routes.json: ${id} has no ${id}.page.tsx below src/pages`),
    ...pages
      .filter(({ id }) => id !== ERROR_PAGE && !routed?.has(id))
      .map(({ id }) => `${id}.page: routes.json has no ${id}`),
  ];
}

/** The registered pages with their message namespaces. */
export async function registeredPages(): Promise<BuiltPage[]> {
  const server = await createServer({
    configFile: inFrontend('vite.config.ts'),
    logLevel: 'warn',
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { PAGE_MODULES } = (await server.ssrLoadModule(
      '/scripts/build/page-modules.ts',
    )) as typeof import('./page-modules.ts');
    return Object.entries(PAGE_MODULES).map(([file, { messages }]) => ({
      id: basename(file).replace(/\.page\.tsx?$/, ''),
      file: file.slice(1),
      messages,
    }));
  } finally {
    await server.close();
  }
}
