import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react';
import { usePaths } from './paths';

export interface SiteLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of this site without locale prefix (`/news`), or another address. */
  to: string;
  /** Loads the target as a document instead of by client navigation. */
  document?: boolean;
  ref?: Ref<HTMLAnchorElement> | undefined;
  children?: ReactNode;
}

/**
 * A link. Paths of the site get the page's locale prefix. One listener on the document
 * (src/app/navigation) handles clicks, so a link needs no router hook.
 */
export function SiteLink({ to, document, target, rel, ...rest }: SiteLinkProps) {
  const { href } = usePaths();
  return (
    <a
      {...rest}
      href={href(to)}
      target={target || undefined}
      rel={rel ?? (target === '_blank' ? 'noopener' : undefined)}
      data-document={document ? '' : undefined}
    />
  );
}
