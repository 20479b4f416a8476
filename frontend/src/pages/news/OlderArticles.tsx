import { ArticleRow } from '~/features/news/ArticleRow';
import type { ArticleSummaryJson } from '~/gen/sahm/content/v1/news_pb';
import type { NewsListPageJson } from '~/gen/sahm/page/v1/page_pb';
import { withoutLocale } from '~/lib/links/paths';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import type { CursorPage } from '~/ui/pagination/cursor-page';
import { LoadMore } from '~/ui/pagination/LoadMore';
import { useLoadMore } from '~/ui/pagination/useLoadMore';
import rows from '~/ui/rows.module.css';
import { TextLink } from '~/ui/TextLink';
import styles from './OlderArticles.module.css';

/** The list below the lead article, with a link to older articles. */
export function OlderArticles({
  articles,
  nextCursor,
  continued,
}: {
  articles: ArticleSummaryJson[];
  nextCursor: string;
  /** The page was requested with a cursor. */
  continued: boolean;
}) {
  const { url } = usePage();
  const t = useMessages('news');
  const { items, linkRef, link } = useLoadMore({ items: articles, nextCursor }, partOf);
  return (
    <section className={styles.older} aria-labelledby="news-latest">
      <div className={`${rows.apart} ${styles.head}`}>
        <h2 id="news-latest" className={styles.title}>
          {t(continued ? 'continued' : 'latest')}
        </h2>
        {continued && (
          <TextLink to={withoutLocale(url.split('?', 1)[0] ?? '')}>{t('newest')}</TextLink>
        )}
      </div>
      <ul className={styles.list}>
        {items.map((article) => (
          <li key={article.id}>
            <ArticleRow article={article} heading="h3" linkRef={linkRef(article)} />
          </li>
        ))}
      </ul>
      <LoadMore
        link={link}
        texts={{
          more: t('more'),
          loading: t('loading'),
          end: t('end'),
          loaded: (count) => t('loaded', { count }),
        }}
      />
    </section>
  );
}

function partOf({
  articles = [],
  nextCursor = '',
}: NewsListPageJson): CursorPage<ArticleSummaryJson> {
  return { items: articles, nextCursor };
}
