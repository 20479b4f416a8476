import { CompanyArt } from '~/features/college/CompanyArt';
import { LessonRow } from '~/features/college/LessonRow';
import type { CompanyNewsListPageJson } from '~/gen/sahm/page/v1/education_pb';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import { LoadMore } from '~/ui/pagination/LoadMore';
import { useLoadMore } from '~/ui/pagination/useLoadMore';
import { SampleLine, SampleScope } from '~/ui/SampleScope';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import styles from './CompanyNewsPage.module.css';

/** `/company-news/list`: news about the company, latest first. */
function CompanyNewsPage({ document }: { document: CompanyNewsListPageJson }) {
  const t = useMessages('company-news');
  const { articles = [], continued = false } = document;
  return (
    <SampleScope items={articles}>
      <Section as="div" className={styles.page}>
        <header className={styles.head}>
          <h1 className={headings.medium}>{t('title')}</h1>
          <p className={styles.standfirst}>{t('standfirst')}</p>
          <SampleLine />
          <p className={styles.ways}>
            <TextLink to={pathTo('about')}>{t('about')}</TextLink>
            <TextLink to={pathTo('news')}>{t('markets')}</TextLink>
          </p>
        </header>
        <div>
          {continued && (
            <p>
              <TextLink to={pathTo('company-news-list')}>{t('newest')}</TextLink>
            </p>
          )}
          {articles.length > 0 ? (
            <Articles key={articles[0]?.id} document={document} />
          ) : (
            <EmptyState title={t('empty')}>
              <p>{t('empty.hint')}</p>
            </EmptyState>
          )}
        </div>
      </Section>
    </SampleScope>
  );
}

function Articles({ document }: { document: CompanyNewsListPageJson }) {
  const t = useMessages('company-news');
  const { items, linkRef, link } = useLoadMore(partOf(document), partOf);
  return (
    <>
      <ul>
        {items.map((article, index) => (
          <li
            key={article.id}
            className={
              index > 0 || document.continued ? styles.item : `${styles.item} ${styles.newest}`
            }
          >
            <LessonRow article={article} heading="h2" linkRef={linkRef(article)} />
            <CompanyArt {...(article.slug && { slug: article.slug })} />
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
    </>
  );
}

function partOf({ articles = [], nextCursor = '' }: CompanyNewsListPageJson) {
  return { items: articles, nextCursor };
}

export default definePage({ Component: CompanyNewsPage, messages: ['company-news', 'college'] });
