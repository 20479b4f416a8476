import { Announcements } from '~/features/news/Announcements';
import { ArticleLead } from '~/features/news/ArticleLead';
import { Banners } from '~/features/news/Banners';
import { Flash } from '~/features/news/Flash';
import { Videos } from '~/features/news/Videos';
import type { NewsListPageJson } from '~/gen/sahm/page/v1/page_pb';
import { isMarket } from '~/lib/market';
import { useMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import { SampleLine, SampleScope } from '~/ui/SampleScope';
import { Section } from '~/ui/Section';
import { TitleParts } from '~/ui/TitleParts';
import styles from './NewsListPage.module.css';
import { OlderArticles } from './OlderArticles';
import { Tabs } from './Tabs';

/**
 * `/news`, `/news/us`, `/news/saudi`: tabs, the lead article next to flash news, the list, videos,
 * banners, announcements.
 */
export function NewsListPage({ document }: { document: NewsListPageJson }) {
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
            {lead && (
              <ArticleLead
                article={lead}
                title={<TitleParts text={lead.title ?? ''} />}
                heading="h2"
                stacked={flash.length > 0}
                eager
              />
            )}
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
