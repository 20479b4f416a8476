import { resolveRedirect } from '~/lib/links/redirect';

/** The URL scheme that the app registers on phones. */
export const APP_SCHEME = 'sahm:';

const MAX_TARGET_LENGTH = 2_048;

/**
 * The address in a query that the app should open: the app's own scheme, a page of this site, or a
 * page on one of the origins or their subdomains. Otherwise undefined.
 */
export function readTarget(
  value: string | null,
  origin: string,
  origins: readonly string[],
): string | undefined {
  if (!value || value.length > MAX_TARGET_LENGTH || /[\s\\\p{Cc}]/u.test(value)) return undefined;
  if (value.startsWith(`${APP_SCHEME}//`)) return parse(value) && value;
  return resolveRedirect(value, origin, origins);
}

/** The target in the first parameter that has one. */
export function targetOf(
  search: string,
  origin: string,
  origins: readonly string[],
): string | undefined {
  const query = new URLSearchParams(search);
  return ['link', 'target']
    .map((name) => readTarget(query.get(name), origin, origins))
    .find(Boolean);
}

/** How the app is opened: by its URL scheme, or by a universal link. */
export type Launch = { by: 'scheme' | 'link'; url: string };

/**
 * The address that opens the app on a phone with a target: the universal link on iOS, the scheme
 * elsewhere.
 */
export function launchOf(device: string, target: string | undefined, oneLink: string): Launch {
  if (target?.startsWith(APP_SCHEME)) return { by: 'scheme', url: target };
  const link = device === 'ios' ? parse(oneLink) : undefined;
  const url = link ?? new URL(`${APP_SCHEME}//open`);
  if (target) url.searchParams.set('link', target);
  return { by: link ? 'link' : 'scheme', url: url.href };
}

/** The origin of a link; undefined if it is not http(s). */
export function originOf(link: string): string | undefined {
  const url = parse(link);
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
