import { LessonRow } from '~/features/college/LessonRow';
import { useCollegePaths } from '~/features/college/paths';
import styles from '~/features/reading/after.module.css';
import type { CollegeArticleSummaryJson } from '~/gen/sahm/content/v1/college_pb';
import { pathTo } from '~/lib/links/path-to';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import rows from '~/ui/rows.module.css';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import { TriangleRow } from '~/ui/TriangleRow';

/** Recommended content after an article; nothing if there is at most one, which fills no list. */
export function Recommended({
  articles,
  company,
}: {
  articles: readonly CollegeArticleSummaryJson[];
  company: boolean;
}) {
  const t = useMessages('college-article');
  const paths = useCollegePaths();
  if (articles.length <= 1) return null;
  return (
    <section className={`${styles.after} screen-only`} aria-labelledby="recommended">
      <TriangleRow className={styles.edge} />
      <Section as="div">
        <div className={`${rows.apart} ${styles.head}`}>
          <h2 id="recommended" className={headings.small}>
            {t(company ? 'recommended.company' : 'recommended')}
          </h2>
          <TextLink to={company ? paths.keep(pathTo('company-news-list')) : paths.home}>
            {t(company ? 'all.company' : 'all')}
          </TextLink>
        </div>
        <ul className={styles.list}>
          {articles.map((article) => (
            <li key={article.id}>
              <LessonRow article={article} heading="h3" brief />
            </li>
          ))}
        </ul>
      </Section>
    </section>
  );
}
