import { SiteLink, type SiteLinkProps } from '~/lib/links/SiteLink';
import { Icon } from './Icon';
import links from './links.module.css';

/** A link with an arrow. */
export function TextLink({ className, children, ...rest }: SiteLinkProps) {
  return (
    <SiteLink {...rest} className={className ? `${links.text} ${className}` : links.text}>
      {children}
      <Icon name="arrow-forward" />
    </SiteLink>
  );
}
