import { ArticleLead } from '~/features/news/ArticleLead';
import { ArticleRow } from '~/features/news/ArticleRow';
import type { ArticleSummaryJson } from '~/gen/sahm/content/v1/news_pb';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import { SampleLine, SampleScope } from '~/ui/SampleScope';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { TextLink } from '~/ui/TextLink';
import home from './home.module.css';
import styles from './News.module.css';

/** The latest articles, with links to all news and to education. */
export function News({
  articles,
  unavailable,
}: {
  articles: ArticleSummaryJson[];
  unavailable: boolean;
}) {
  const t = useMessages('home');
  const [lead, ...others] = articles;
  return (
    <SampleScope items={articles}>
      <Section className={`${sections.large} ${styles.news}`} aria-labelledby="home-news">
        <div className={home.head}>
          <h2 id="home-news" className={`${headings.medium} ${home.title}`}>
            {t('news.title')}
          </h2>
          <p className={sections.text}>{t(unavailable ? 'news.unavailable' : 'news.text')}</p>
          <SampleLine />
        </div>
        {lead && (
          <div className={styles.articles}>
            <ArticleLead article={lead} heading="h3" stacked />
            <ul>
              {others.slice(0, 3).map((article) => (
                <li key={article.id}>
                  <ArticleRow article={article} heading="h3" layout="brief" summary />
                </li>
              ))}
            </ul>
          </div>
        )}
        <p className={styles.ways}>
          <TextLink to={pathTo('news')}>{t('news.all')}</TextLink>
          <TextLink to={pathTo('education')}>{t('news.learn')}</TextLink>
        </p>
      </Section>
    </SampleScope>
  );
}
