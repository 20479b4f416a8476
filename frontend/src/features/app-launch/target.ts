import { resolveRedirect } from '~/lib/links/redirect';

/** The scheme that the app registers on phones; links into it begin `sahm://`. */
export const APP_SCHEME = 'sahm:';

const LONGEST = 2_048;

/**
 * The address a query names to be opened in the app: one of the app's own scheme, a page of this
 * site, or a page on one of the origins or a subdomain of one. Anything else is nothing.
 */
export function readTarget(
  value: string | null,
  origin: string,
  origins: readonly string[],
): string | undefined {
  if (!value || value.length > LONGEST || /[\s\\\p{Cc}]/u.test(value)) return undefined;
  if (value.startsWith(`${APP_SCHEME}//`)) return parse(value) && value;
  return resolveRedirect(value, origin, origins);
}

/** The first of the query's parameters that names a target. */
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

/** How the app is asked: by its scheme, or by a link that the system hands to it. */
export type Launch = { by: 'scheme' | 'link'; url: string };

/**
 * The address that opens the app on a phone: on iOS the one link,
 * which the system gives to the app or the browser opens; elsewhere the scheme. A target goes
 * along.
 */
export function launchOf(device: string, target: string | undefined, oneLink: string): Launch {
  if (target?.startsWith(APP_SCHEME)) return { by: 'scheme', url: target };
  const link = device === 'ios' ? parse(oneLink) : undefined;
  const url = link ?? new URL(`${APP_SCHEME}//open`);
  if (target) url.searchParams.set('link', target);
  return { by: link ? 'link' : 'scheme', url: url.href };
}

/** The origin of a link; nothing where it is not on the web. */
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
