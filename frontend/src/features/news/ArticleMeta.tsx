import type { ArticleSummaryJson } from '~/gen/sahm/content/v1/news_pb';
import { type PlainKey, useMessages } from '~/lib/messages/messages';
import rows from '~/ui/rows.module.css';
import { SampleMark } from '~/ui/SampleScope';
import { Time } from '~/ui/Time';
import styles from './ArticleMeta.module.css';

/** The name of a market in the page's language; empty without a market. */
export function MarketName({ market = '' }: { market?: string | undefined }) {
  const t = useMessages('common');
  const key = `market.${market}`;
  return t.has(key) ? t(key as PlainKey<'common'>) : null;
}

/** An article's details: market, date, reading time, sample label. */
export function ArticleMeta({ article }: { article: ArticleSummaryJson }) {
  const t = useMessages('common');
  const { market, publishedAt = 0, readingMinutes = 1 } = article;
  return (
    <p className={rows.dotted}>
      {market && (
        <span className={styles.market}>
          <MarketName market={market} />
        </span>
      )}
      <span data-reading="">{t('reading', { minutes: readingMinutes })}</span>
      <SampleMark item={article} />
      <Time epoch={publishedAt} className={styles.time} />
    </p>
  );
}
