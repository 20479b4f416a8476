import type { FlashNewsJson } from '~/gen/sahm/content/v1/flash_pb';
import { useMessages } from '~/lib/messages/messages';
import { Time } from '~/ui/Time';
import { MarketName } from './ArticleMeta';
import styles from './Flash.module.css';

/**
 * Flash news: a column with a time line where there is room, a strip that scrolls sideways on
 * phones. `markets` labels each item with its market.
 */
export function Flash({ items, markets }: { items: readonly FlashNewsJson[]; markets: boolean }) {
  const t = useMessages('news');
  const common = useMessages('chrome');
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="news-flash" className={styles.flash}>
      <h2 id="news-flash" className={styles.title}>
        {t('flash')}
      </h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <ol className={styles.items} tabIndex={0} aria-labelledby="news-flash">
        {items.map(({ id, content, publishedAt = 0, market, sample }) => (
          <li key={id} className={styles.item}>
            <p className={styles.meta}>
              {markets && market && (
                <span>
                  <MarketName market={market} />
                </span>
              )}
              {sample && <span>{common('sample')}</span>}
              <Time epoch={publishedAt} className={styles.time} />
            </p>
            <p className={styles.content}>{content}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
