import { useReadLessons } from '~/features/college/lessons';
import { useCollegePaths } from '~/features/college/paths';
import type { CollegeArticleSummaryJson } from '~/gen/sahm/content/v1/college_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import rows from '~/ui/rows.module.css';
import { SampleMark } from '~/ui/SampleScope';
import styles from './Lessons.module.css';

/** The numbered lessons of a course; those read in this browser are ticked. */
export function Lessons({ articles }: { articles: readonly CollegeArticleSummaryJson[] }) {
  const t = useMessages('education');
  const common = useMessages('common');
  const paths = useCollegePaths();
  const read = useReadLessons();
  return (
    <ol className={styles.lessons}>
      {articles.map((lesson) => (
        <li key={lesson.id} className={styles.lesson}>
          <div className={styles.text}>
            <h3 className={styles.title}>
              <SiteLink to={paths.article(lesson)} className={links.stretched}>
                {lesson.title}
              </SiteLink>
            </h3>
            <p className={styles.summary}>{lesson.summary}</p>
          </div>
          <p className={`${rows.details} ${styles.meta}`}>
            <span>{common('reading', { minutes: lesson.readingMinutes ?? 1 })}</span>
            <SampleMark item={lesson} />
            <span className={styles.done}>
              {read.has(lesson.id ?? '') && (
                <>
                  <Icon name="check" />
                  {t('read')}
                </>
              )}
            </span>
          </p>
          <Icon name="chevron-forward" className={styles.chevron} />
        </li>
      ))}
    </ol>
  );
}
