import Link from 'next/link';
import { currentOf, hrefOf, isSitePath } from '../../page/links';

/** A link of the page: the router's own where it leads to the site. */
export function SiteLink({ to, current, target, ...rest }) {
  const common = {
    'aria-current': current ? currentOf(to, current) : undefined,
    target: target || undefined,
    rel: target === '_blank' ? 'noopener' : undefined,
    ...rest,
  };
  return isSitePath(to) ? <Link {...common} href={hrefOf(to)} /> : <a {...common} href={to} />;
}
