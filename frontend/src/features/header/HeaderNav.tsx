import { useRef } from 'react';
import { MenuBadge, MenuLink } from '~/features/menu/MenuLink';
import { groupByMarket } from '~/features/menu/markets';
import { descriptionIn, hasOverview, nameIn } from '~/features/menu/names';
import { useMenu } from '~/features/menu/useMenu';
import type { NavigationItemJson } from '~/gen/sahm/config/v1/config_pb';
import { usePaths } from '~/lib/links/paths';
import { useMessages } from '~/lib/messages/messages';
import { Kept } from '~/lib/page/kept';
import { usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import styles from './HeaderNav.module.css';
import { useDisclosures } from './useDisclosures';

/** The menu of large screens: links, and disclosures of links; complete without scripts. */
export function HeaderNav() {
  const t = useMessages('chrome');
  const root = useRef<HTMLElement>(null);
  useDisclosures(root);
  return (
    <nav ref={root} className={styles.nav} aria-label={t('nav.main')}>
      <Kept in="ul" of={HeaderEntries} className={styles.items} />
    </nav>
  );
}

/** The menu's entries: the same on all pages of a language but for the current link. */
export function HeaderEntries() {
  const { header = [] } = useMenu();
  return header.map((item) => (
    <li key={item.key}>
      {item.children?.length ? (
        <Disclosure item={item} links={item.children} />
      ) : (
        <MenuLink item={item} className={styles.item} plain />
      )}
    </li>
  ));
}

function Disclosure({ item, links }: { item: NavigationItemJson; links: NavigationItemJson[] }) {
  const { locale } = usePage();
  const { currentOf } = usePaths();
  const t = useMessages('chrome');
  const large = item.dropdownItemSize === 'large';
  const here = [item, ...links].some(({ url }) => url && currentOf(url));
  return (
    <details name="header-menu" className={styles.disclosure}>
      <summary className={styles.item} data-here={here || undefined}>
        {nameIn(locale, item)}
        <MenuBadge item={item} />
        <Icon name="chevron-down" className={styles.chevron} />
      </summary>
      <div className={large ? `${styles.panel} ${styles.large}` : styles.panel}>
        {hasOverview(item) && (
          <MenuLink item={item} className={styles.overview}>
            {t('nav.overview', { name: nameIn(locale, item) })}
            <Icon name="arrow-forward" />
          </MenuLink>
        )}
        {large ? (
          <div className={styles.columns}>
            {groupByMarket(links).map(({ market, items }) => (
              <Links key={market ?? ''} items={items} title={market && t(`market.${market}`)} />
            ))}
          </div>
        ) : (
          <Links items={links} />
        )}
      </div>
    </details>
  );
}

function Links({ items, title }: { items: NavigationItemJson[]; title?: string | undefined }) {
  const { locale } = usePage();
  return (
    <div>
      {title && <p className={styles.title}>{title}</p>}
      <ul>
        {items.map((link) => (
          <li key={link.key}>
            <MenuLink item={link} className={styles.link}>
              <span className={styles.words}>
                <span className={styles.name}>{nameIn(locale, link)}</span>
                {descriptionIn(locale, link) && (
                  <span className={styles.description}>{descriptionIn(locale, link)}</span>
                )}
              </span>
            </MenuLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
