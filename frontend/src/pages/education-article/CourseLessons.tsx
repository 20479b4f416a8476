import { useReadLessons } from '~/features/college/lessons';
import { useCollegePaths } from '~/features/college/paths';
import { AfterList } from '~/features/reading/AfterList';
import type { CollegeArticleSummaryJson } from '~/gen/sahm/content/v1/college_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import rows from '~/ui/rows.module.css';
import styles from './CollegeArticle.module.css';

/** The lessons of the course with the current one marked and read ones ticked. */
export function CourseLessons({
  lessons,
  id,
  course,
}: {
  lessons: readonly CollegeArticleSummaryJson[];
  /** The current lesson. */
  id: string;
  /** The course's name. */
  course: string;
}) {
  const t = useMessages('college-article');
  const common = useMessages('common');
  const paths = useCollegePaths();
  const read = useReadLessons();
  if (lessons.length === 0) return null;
  return (
    <AfterList
      id="course-lessons"
      title={t.rich('course', { course: <span className="title-part">{course}</span> })}
      all={{ name: t('all'), to: paths.home }}
      ordered
    >
      {lessons.map((lesson, index) => {
        const here = lesson.id === id;
        return (
          <li key={lesson.id}>
            <SiteLink
              to={paths.article(lesson)}
              aria-current={here ? 'page' : undefined}
              className={styles.lesson}
            >
              <span className={styles.title}>{lesson.title}</span>
              <span className={rows.details}>
                <span>{t('number', { number: index + 1 })}</span>
                <span>{common('reading', { minutes: lesson.readingMinutes ?? 1 })}</span>
                {!here && read.has(lesson.id ?? '') && (
                  <span className={styles.done}>
                    <Icon name="check" />
                    <span className="visually-hidden">{t('read')}</span>
                  </span>
                )}
              </span>
            </SiteLink>
          </li>
        );
      })}
    </AfterList>
  );
}
