import type { FlashNewsJson } from '~/gen/sahm/content/v1/flash_pb';
import { keepTogether } from '~/lib/format/no-break';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import rows from '~/ui/rows.module.css';
import { SampleMark } from '~/ui/SampleScope';
import { Time } from '~/ui/Time';
import { MarketName } from './ArticleMeta';
import styles from './Flash.module.css';

/** Number of items that wide screens show before the link to all, as in the style sheet. */
const FIRST_ITEMS = 4;

/**
 * Flash news: on wide screens a column with a time line, which shows the first items and a link to
 * all; on phones a strip that scrolls sideways, and a link that shows all items below each other. `markets` labels each
 * item with its market.
 */
export function Flash({ items, markets }: { items: readonly FlashNewsJson[]; markets: boolean }) {
  const t = useMessages('news');
  if (items.length === 0) return null;
  return (
    <section id="flash" aria-labelledby="news-flash" className={styles.flash}>
      <h2 id="news-flash" className={styles.title}>
        {t('flash')}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable lists need keyboard access */}
      <ol className={styles.items} tabIndex={0} aria-labelledby="news-flash">
        {items.map((item) => (
          <li key={item.id} className={styles.item}>
            <p className={`${rows.details} ${styles.meta}`}>
              {markets && item.market && (
                <span>
                  <MarketName market={item.market} />
                </span>
              )}
              <SampleMark item={item} />
              <Time epoch={item.publishedAt ?? 0} className={styles.time} />
            </p>
            <p className={styles.content}>{keepTogether(item.content ?? '')}</p>
          </li>
        ))}
      </ol>
      {items.length > FIRST_ITEMS && (
        <p className={styles.all}>
          <a href="#flash" className={links.text}>
            {t('flash.all')}
            <Icon name="chevron-down" />
          </a>
        </p>
      )}
    </section>
  );
}
