/**
 * Resolves a redirect parameter (`target`, `link`) to the absolute URL to navigate to. The origin
 * is compared after resolution, and the URL is absolute, because a path that begins with `//` would
 * name a host. Undefined for anything but a page of this site or of an allowed host.
 *
 * @param origin of this site, as `https://sahm.example`
 * @param allowedOrigins of other sites; their subdomains are allowed too
 */
export function resolveRedirect(
  parameter: string | null,
  origin: string,
  allowedOrigins: readonly string[],
): string | undefined {
  // Rejects other schemes, and relative references that start with neither a slash nor http(s).
  if (!parameter || !/^(?:\/|https?:\/\/)/i.test(parameter)) return undefined;
  if (!URL.canParse(parameter, origin)) return undefined;
  const url = new URL(parameter, origin);
  if (url.username || url.password) return undefined;
  if (url.origin !== origin) return isOnOrigins(url, allowedOrigins) ? url.href : undefined;
  // No path of the site contains `//`.
  return url.pathname.includes('//') ? undefined : url.href;
}

/** Whether a URL is on one of the origins or on a subdomain, with any port. */
function isOnOrigins({ protocol, hostname }: URL, origins: readonly string[]): boolean {
  return origins.some((origin) => {
    const [scheme, host] = origin.split('//');
    return protocol === scheme && (hostname === host || hostname.endsWith(`.${host}`));
  });
}
