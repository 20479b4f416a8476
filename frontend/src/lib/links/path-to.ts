import { PATHS, type Queries } from '~/gen/routes';

type Paths = typeof PATHS;

/** An id of `routes.json`. */
export type RouteId = keyof Paths;

/** Pages whose path parameter is optional. */
type ItemOptional = 'about';

type Parameter<P extends string> = P extends `${string}{${infer Name}?}${infer Rest}`
  ? Name | Parameter<Rest>
  : never;

type FirstParameter<P extends string> = P extends `${string}{${infer Name}?}${string}`
  ? Name
  : never;

type Required<R extends RouteId> = R extends ItemOptional ? never : FirstParameter<Paths[R]>;
type Optional<R extends RouteId> =
  | Parameter<Paths[R]>
  | (R extends keyof Queries ? Queries[R] : never);

type Parameters<R extends RouteId> = { [Name in Required<R>]: string } & {
  [Name in Optional<R>]?: string | undefined;
};

type Arguments<R extends RouteId> = [Optional<R>] extends [never]
  ? []
  : [Required<R>] extends [never]
    ? [parameters?: Parameters<R>]
    : [parameters: Parameters<R>];

/**
 * The path of a page without locale prefix: `pathTo('news-content', { id })`. The first parameter
 * of a path is required. Parameters that the path lacks become the query.
 */
export function pathTo<R extends RouteId>(route: R, ...[parameters]: Arguments<R>): string {
  const [fixed, ...names] = PATHS[route].split(/\/\{(\w+)\?\}/).filter(Boolean);
  const values = new Map(Object.entries<string | undefined>(parameters ?? {}));
  let path = fixed ?? '';
  for (const name of names) {
    const value = values.get(name);
    if (!value) break;
    path += `/${encodeURIComponent(value)}`;
  }
  const query = new URLSearchParams();
  for (const [name, value] of values) {
    if (value !== undefined && !names.includes(name)) query.set(name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}
