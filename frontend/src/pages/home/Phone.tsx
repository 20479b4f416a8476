import { MarketName } from '~/features/news/ArticleMeta';
import type { ArticleSummaryJson } from '~/gen/sahm/content/v1/news_pb';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { Mark } from '~/ui/Mark';
import { Time } from '~/ui/Time';
import styles from './Phone.module.css';

/**
 * A phone that shows the newest headlines of this page. A picture: the same articles stand below
 * as text and links.
 */
export function Phone({ articles }: { articles: ArticleSummaryJson[] }) {
  const t = useMessages('chrome');
  const products = useMessages('products');
  const [lead, ...others] = articles;
  return (
    <div className={styles.phone} aria-hidden="true">
      <div className={styles.screen}>
        <div className={styles.bar}>
          <span className={styles.brand}>
            <Mark />
            {t('site-name')}
          </span>
          <Icon name="menu" />
        </div>
        {lead ? (
          <>
            <div className={styles.chips}>
              <span className={styles.chip} data-on="">
                <MarketName market="all" />
              </span>
              <span className={styles.chip}>
                <MarketName market="saudi" />
              </span>
              <span className={styles.chip}>
                <MarketName market="us" />
              </span>
            </div>
            <div className={styles.lead}>
              {lead.image?.path && (
                <img
                  src={lead.image.path}
                  alt=""
                  width={lead.image.width}
                  height={lead.image.height}
                />
              )}
              <p className={styles.leadTitle}>{lead.title}</p>
              <p className={styles.meta}>
                <Time epoch={lead.publishedAt ?? 0} />
              </p>
            </div>
            {others.slice(0, 3).map((article) => (
              <div key={article.id} className={styles.row}>
                <div>
                  <p className={styles.rowTitle}>{article.title}</p>
                  <p className={styles.meta}>
                    <Time epoch={article.publishedAt ?? 0} />
                  </p>
                </div>
                {article.image?.path && (
                  <img
                    src={article.image.path}
                    alt=""
                    width={article.image.width}
                    height={article.image.height}
                  />
                )}
              </div>
            ))}
          </>
        ) : (
          <ul className={styles.products}>
            {(['saudi-stocks', 'us-stocks', 'saudi-suku-bonds', 'us-options'] as const).map(
              (id) => (
                <li key={id}>{products(`${id}.name`)}</li>
              ),
            )}
          </ul>
        )}
      </div>
    </div>
  );
}
