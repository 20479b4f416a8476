import { useRef } from 'react';
import { LazyProductDrawing } from '~/features/products/LazyProductDrawing';
import { PRODUCTS } from '~/features/products/products';
import type { MenuItemJson } from '~/gen/sahm/page/v1/page_pb';
import { usePaths } from '~/lib/links/paths';
import { MARKETS, type Market } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import secondary from '~/ui/secondary.module.css';
import styles from './HeaderNav.module.css';
import { hasOverview, MenuBadge, MenuLink } from './MenuLink';
import { useDisclosures } from './useDisclosures';

/** The navigation of large screens: links, and disclosures of links. Works without scripts. */
export function HeaderNav() {
  const { layoutData } = usePage().frame;
  const t = useMessages('common');
  const root = useRef<HTMLElement>(null);
  useDisclosures(root);
  return (
    <nav ref={root} className={styles.nav} aria-label={t('nav.main')}>
      <ul className={styles.items}>
        {layoutData?.header?.map((item) => (
          <li key={item.key}>
            {item.children?.length ? (
              <Disclosure item={item} links={item.children} />
            ) : (
              <MenuLink item={item} className={styles.item} plain />
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Disclosure({ item, links }: { item: MenuItemJson; links: MenuItemJson[] }) {
  const { currentOf } = usePaths();
  const t = useMessages('common');
  const here = [item, ...links].some(({ url }) => url && currentOf(url));
  return (
    <details name="header-menu" className={styles.disclosure}>
      <summary className={styles.item} data-here={here || undefined}>
        {item.name}
        <MenuBadge item={item} />
        <Icon name="chevron-down" />
      </summary>
      <div className={item.large ? `${styles.panel} ${styles.large}` : styles.panel}>
        {hasOverview(item) && (
          <MenuLink item={item} className={styles.overview}>
            {t('nav.overview', { name: item.name ?? '' })}
            <Icon name="arrow-forward" />
          </MenuLink>
        )}
        {item.large ? (
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

function Links({ items, title }: { items: MenuItemJson[]; title?: string | undefined }) {
  return (
    <div>
      {title && <p className={styles.title}>{title}</p>}
      <ul>
        {items.map((link) => (
          <li key={link.key}>
            <MenuLink item={link} className={styles.link}>
              <Drawing item={link} />
              <span className={styles.words}>
                <span className={styles.name}>{link.name}</span>
                {link.description && <span className={secondary.small}>{link.description}</span>}
              </span>
            </MenuLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The drawing of the product that the item's key names. */
function Drawing({ item }: { item: MenuItemJson }) {
  const product = MARKETS.flatMap((market) => [...PRODUCTS[market]]).find(
    (one) => one === item.key,
  );
  return product && <LazyProductDrawing product={product} className={styles.drawing} />;
}

export interface MarketGroup {
  /** Undefined for items that belong to no single market. */
  market: Market | undefined;
  items: MenuItemJson[];
}

/** Groups menu items by the market that their key starts with; items without a market come last. */
export function groupByMarket(items: readonly MenuItemJson[]): MarketGroup[] {
  const marketOf = ({ key }: MenuItemJson) =>
    MARKETS.find((market) => key?.startsWith(`${market}-`));
  return [...MARKETS, undefined]
    .map((market) => ({ market, items: items.filter((item) => marketOf(item) === market) }))
    .filter((group) => group.items.length > 0);
}
