import { Announcements } from '~/features/news/Announcements';
import { ArticleLead } from '~/features/news/ArticleLead';
import { ArticleRow } from '~/features/news/ArticleRow';
import { Banners } from '~/features/news/Banners';
import { Flash } from '~/features/news/Flash';
import { tabPath } from '~/features/news/paths';
import { badgeText, useUnread } from '~/features/news/unread';
import { Videos } from '~/features/news/Videos';
import type { ArticleSummaryJson, NewsTabJson } from '~/gen/sahm/content/v1/news_pb';
import type { NewsListPageJson } from '~/gen/sahm/page/v1/page_pb';
import { withoutLocale } from '~/lib/links/paths';
import { SiteLink } from '~/lib/links/SiteLink';
import { isMarket } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { usePage } from '~/lib/page/page';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import { LoadMore } from '~/ui/pagination/LoadMore';
import { useLoadMore } from '~/ui/pagination/useLoadMore';
import rows from '~/ui/rows.module.css';
import { SampleLine, SampleScope } from '~/ui/SampleScope';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import tabStyles from '~/ui/tabs.module.css';
import styles from './NewsListPage.module.css';

/**
 * `/news`, `/news/us`, `/news/saudi`: tabs, the lead article next to flash news, the list, videos,
 * banners, announcements.
 */
function NewsListPage({ document }: { document: NewsListPageJson }) {
  const t = useMessages('news');
  const { tabs = [], tabId, articles = [], nextCursor = '', continued = false, market } = document;
  const { banners = [], flash = [], videos = [], announcements } = document;
  const [lead, ...others] = articles;
  const titled = isMarket(market) ? market : 'all';
  return (
    <SampleScope items={[...articles, ...flash, ...videos, ...banners]}>
      <Section as="div" className={styles.page}>
        <header className={styles.head}>
          <h1 className={headings.medium}>{t(`title.${titled}`)}</h1>
          <p className={styles.standfirst}>{t(`standfirst.${titled}`)}</p>
          <SampleLine />
        </header>
        <Tabs tabs={tabs} shown={tabId ?? ''} />
        {!lead && (
          <EmptyState title={t('empty')}>
            <p>{t('empty.hint')}</p>
          </EmptyState>
        )}
        {!continued && (lead || flash.length > 0) && (
          <div className={flash.length > 0 ? styles.top : undefined}>
            {lead && <ArticleLead article={lead} heading="h2" stacked={flash.length > 0} eager />}
            <ErrorBoundary>
              <Flash items={flash} markets={titled === 'all'} />
            </ErrorBoundary>
          </div>
        )}
        {lead && (
          <OlderArticles
            key={`${tabId} ${lead.id}`}
            articles={continued ? articles : others}
            nextCursor={nextCursor}
            continued={continued}
          />
        )}
        <ErrorBoundary>
          <Videos videos={videos} />
        </ErrorBoundary>
        <ErrorBoundary>
          <Banners banners={banners} />
        </ErrorBoundary>
        <Announcements items={announcements} />
      </Section>
    </SampleScope>
  );
}

/** The list below the lead article, with a link to older articles. */
function OlderArticles({
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
      <div className={`${rows.apart} ${styles.olderHead}`}>
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

function partOf({ articles = [], nextCursor = '' }: NewsListPageJson) {
  return { items: articles, nextCursor };
}

/** The news tabs as links, with counts of unread articles. */
function Tabs({ tabs, shown }: { tabs: NewsTabJson[]; shown: string }) {
  const t = useMessages('news');
  const unread = useUnread(shown);
  return (
    <nav aria-label={t('tabs')} className={`${tabStyles.nav} ${styles.nav}`}>
      <ul className={`${tabStyles.list} ${styles.tabs}`}>
        {tabs.map((tab) => {
          const count = unread.get(tab.id ?? '') ?? 0;
          return (
            <li key={tab.id}>
              <SiteLink
                to={tabPath(tab)}
                className={tabStyles.tab}
                aria-current={tab.id === shown ? 'page' : undefined}
              >
                <span className={tabStyles.name}>{tab.name}</span>
                {count > 0 && (
                  <span className={styles.unread} data-live="">
                    <span aria-hidden="true">{badgeText(count)}</span>
                    <span className="visually-hidden">{t('unread', { count })}</span>
                  </span>
                )}
              </SiteLink>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

export default definePage({ Component: NewsListPage, messages: ['news'] });
