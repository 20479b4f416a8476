import type { ReactNode } from 'react';
import type { MenuItemJson } from '~/gen/sahm/page/v1/page_pb';
import { pathTo } from '~/lib/links/path-to';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Badge } from '~/ui/Badge';
import { Icon } from '~/ui/Icon';

/** A navigation item as a link, with its badge, and a word for those who do not see a new tab open. */
export function MenuLink({
  item,
  className,
  plain = false,
  children,
}: {
  item: MenuItemJson;
  className?: string | undefined;
  /** Says that a new tab opens without drawing it. */
  plain?: boolean;
  children?: ReactNode;
}) {
  return (
    <SiteLink
      to={item.url ?? pathTo('home')}
      target={item.newTab ? '_blank' : undefined}
      className={className}
    >
      {children ?? item.name}
      <MenuBadge item={item} />
      {item.newTab && <NewTab plain={plain} />}
    </SiteLink>
  );
}

/** `Hot` or `New` beside an item's name. */
export function MenuBadge({ item }: { item: MenuItemJson }) {
  const t = useMessages('chrome');
  if (item.badge !== 'hot' && item.badge !== 'new') return null;
  return <Badge tone={item.strongBadge ? 'strong' : 'soft'}>{t(`badge.${item.badge}`)}</Badge>;
}

/** Whether an item with children leads somewhere of its own that none of them leads to. */
export function hasOverview({ url, children = [] }: MenuItemJson): boolean {
  return Boolean(url) && children.every((child) => child.url !== url);
}

// The sign of a link that opens a new tab, said and drawn.
function NewTab({ plain }: { plain: boolean }) {
  const t = useMessages('chrome');
  return (
    <>
      <span className="visually-hidden"> {t('new-tab')}</span>
      {!plain && <Icon name="external" />}
    </>
  );
}
