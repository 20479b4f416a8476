import type { ReactNode } from 'react';
import type { NavigationItemJson } from '~/gen/sahm/config/v1/config_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Badge } from '~/ui/Badge';
import { Icon } from '~/ui/Icon';
import { nameIn } from './names';

/** A navigation item as a link, with its badge, and a word for those who do not see a new tab open. */
export function MenuLink({
  item,
  className,
  plain = false,
  children,
}: {
  item: NavigationItemJson;
  className?: string | undefined;
  /** Says that a new tab opens without drawing it. */
  plain?: boolean;
  children?: ReactNode;
}) {
  const { locale } = usePage();
  return (
    <SiteLink to={item.url ?? '/'} target={item.target} className={className}>
      {children ?? nameIn(locale, item)}
      <MenuBadge item={item} />
      {item.target === '_blank' && <NewTab plain={plain} />}
    </SiteLink>
  );
}

/** `Hot` or `New` beside an item's name. */
export function MenuBadge({ item }: { item: NavigationItemJson }) {
  const t = useMessages('chrome');
  if (item.badge !== 'hot' && item.badge !== 'new') return null;
  return (
    <Badge tone={item.badge === 'hot' || item.isHotLabel ? 'strong' : 'soft'}>
      {t(`badge.${item.badge}`)}
    </Badge>
  );
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
