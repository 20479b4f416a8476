import { sitePathOf, usePaths } from './paths';
import { useAddress } from './useAddress';

/**
 * The path of what is shown, without locale prefix. A document that may not hold it (an * unmatched path; docs/pages.md) gets it from the address bar once it is hydrated; until then it is empty.
 */
export function useShownPath(): string {
  const { current } = usePaths();
  const { pathname } = useAddress();
  return current || sitePathOf(pathname);
}
