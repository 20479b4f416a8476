import { nameOf } from '../../page/links';
import { TEXTS } from '../../page/texts';
import { Icon } from './Icon';
import { SiteLink } from './SiteLink';

/** An item of the menu with its badge, and a word where it opens a new tab. */
export function MenuLink({ item, current, className, plain = false, children }) {
  return (
    <SiteLink to={item.url ?? '/'} target={item.target} current={current} className={className}>
      {children ?? nameOf(item)}
      <MenuBadge item={item} />
      {item.target === '_blank' && (
        <>
          <span className="visually-hidden"> {TEXTS.newTab}</span>
          {!plain && <Icon name="external" />}
        </>
      )}
    </SiteLink>
  );
}

export function MenuBadge({ item: { badge, isHotLabel } }) {
  const text = TEXTS.badges[badge];
  if (!text) return null;
  const tone = badge === 'hot' || isHotLabel ? 'badge-strong' : 'badge-soft';
  return <span className={`badge ${tone}`}>{text}</span>;
}
