/**
 * Whether an address is on one of the origins or on a subdomain of one, whatever its port: a
 * white-listed host (contract §4). Addresses with a user or a password never are.
 *
 * @param origins as `https://sahm.example`
 */
export function isOnOrigins({ protocol, hostname, username, password }: URL, origins: Origins) {
  if (username || password) return false;
  return origins.some((origin) => {
    const [scheme, host] = origin.split('//');
    return protocol === scheme && (hostname === host || hostname.endsWith(`.${host}`));
  });
}

type Origins = readonly string[];
