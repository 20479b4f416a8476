import { APP_SCHEME } from '~/lib/constants';
import { isSitePath } from '~/lib/links/paths';

const LONGEST = 2_048;

/**
 * The address a query names to be opened in the app: one of the app's own scheme, a page of this
 * site, or an https page on a white-listed host or below one. Anything else is nothing.
 *
 * @param hosts white-listed hosts beside the own
 */
export function readTarget(
  value: string | null,
  origin: string,
  hosts: readonly string[],
): string | undefined {
  if (!value || value.length > LONGEST || /[\s\\\p{Cc}]/u.test(value)) return undefined;
  if (isSitePath(value)) return origin + value;
  const url = parse(value);
  if (!url || url.username || url.password) return undefined;
  if (url.protocol === APP_SCHEME) return value.startsWith(`${APP_SCHEME}//`) ? value : undefined;
  if (url.origin === origin) return url.href;
  const listed = hosts.some((host) => url.host === host || url.host.endsWith(`.${host}`));
  return url.protocol === 'https:' && listed ? url.href : undefined;
}

/** The first of the query's parameters that names a target. */
export function targetOf(
  search: string,
  origin: string,
  hosts: readonly string[],
): string | undefined {
  const query = new URLSearchParams(search);
  return ['link', 'target'].map((name) => readTarget(query.get(name), origin, hosts)).find(Boolean);
}

/** How the app is asked: by its scheme, or by a link that the system hands to it. */
export type Launch = { by: 'scheme' | 'link'; url: string };

/**
 * The address that opens the app on a phone (specification §4 'App launch'): on iOS the one link,
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

/** The host of a link; nothing where it has none. */
export function hostOf(link: string): string | undefined {
  return parse(link)?.host || undefined;
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
