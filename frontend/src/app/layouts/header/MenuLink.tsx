import type { ReactNode } from 'react';
import type { MenuItemJson } from '~/gen/sahm/page/v1/page_pb';
import { pathTo } from '~/lib/links/path-to';
import { isSitePath, usePaths } from '~/lib/links/paths';
import { SiteLink, type SiteLinkProps } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Badge } from '~/ui/Badge';
import { Icon } from '~/ui/Icon';

/** A navigation item as a link with its badge and a screen-reader text if it opens a new tab. */
export function MenuLink({
  item,
  className,
  plain = false,
  children,
}: {
  item: MenuItemJson;
  className?: string | undefined;
  /** Announces a new tab without drawing its icon. */
  plain?: boolean;
  children?: ReactNode;
}) {
  const t = useMessages('common');
  return (
    <NavLink
      to={item.url ?? pathTo('home')}
      target={item.newTab ? '_blank' : undefined}
      className={className}
    >
      {children ?? item.name}
      <MenuBadge item={item} />
      {item.newTab && <span className="visually-hidden"> {t('new-tab')}</span>}
      {item.newTab && !plain && <Icon name="external" />}
    </NavLink>
  );
}

/** A link that is marked on its page and on the pages below it. */
export function NavLink({ to, ...rest }: SiteLinkProps) {
  const { currentOf } = usePaths();
  return <SiteLink {...rest} to={to} aria-current={isSitePath(to) ? currentOf(to) : undefined} />;
}

/** The badge `Hot` or `New` after an item's name. */
export function MenuBadge({ item }: { item: MenuItemJson }) {
  const t = useMessages('common');
  if (item.badge !== 'hot' && item.badge !== 'new') return null;
  return <Badge tone={item.strongBadge ? 'strong' : 'soft'}>{t(`badge.${item.badge}`)}</Badge>;
}

/** Whether an item with children has its own page, to which none of them links. */
export function hasOverview({ url, children = [] }: MenuItemJson): boolean {
  return Boolean(url) && children.every((child) => child.url !== url);
}
