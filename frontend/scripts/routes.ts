interface Route {
  id: string;
  path: string;
  query: Record<string, unknown>;
}

/** The source of `src/gen/routes.ts`: the path of every page and the query that it declares. */
export function routesSource(routes: readonly Route[]): string {
  const key = (id: string) => (/^\w+$/.test(id) ? id : `'${id}'`);
  const paths = routes.map(({ id, path }) => `  ${key(id)}: '${path}',`);
  const queries = routes.flatMap(({ id, query }) => {
    const names = Object.keys(query).map((name) => `'${name}'`);
    return names.length > 0 ? [`  ${key(id)}: ${names.join(' | ')};`] : [];
  });
  return `// Made by npm run gen from routes.json; do not edit.

/** Paths by page id, without the locale's prefix; their parameters stand at the end and may be left out. */
export const PATHS = {
${paths.join('\n')}
} as const;

/** The query parameters that pages declare. */
export interface Queries {
${queries.join('\n')}
}
`;
}
