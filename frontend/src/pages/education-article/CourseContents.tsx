import { useReadLessons } from '~/features/college/lessons';
import { useCollegePaths } from '~/features/college/paths';
import type { EducationArticlePageJson } from '~/gen/sahm/page/v1/education_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import secondary from '~/ui/secondary.module.css';
import styles from './CourseContents.module.css';

/** The lessons of the course with the current one marked and read ones ticked. */
export function CourseContents({ document }: { document: EducationArticlePageJson }) {
  const t = useMessages('college-article');
  const paths = useCollegePaths();
  const read = useReadLessons();
  const { article = {}, courseArticles = [], breadcrumb = [] } = document;
  const course = breadcrumb.find(({ kind }) => kind === 'course');
  if (courseArticles.length === 0) return null;
  return (
    <nav className={styles.contents} aria-labelledby="course-contents">
      <p className={secondary.small}>{t('course')}</p>
      <p id="course-contents" className={styles.course}>
        {course?.name}
      </p>
      <ol className={styles.lessons}>
        {courseArticles.map((lesson) => {
          const here = lesson.id === article.id;
          const done = !here && read.has(lesson.id ?? '');
          return (
            <li key={lesson.id} className={styles.lesson}>
              <SiteLink
                to={paths.article(lesson)}
                aria-current={here ? 'page' : undefined}
                className={styles.link}
              >
                <span className={styles.name}>{lesson.title}</span>
                {done && (
                  <span className={styles.done}>
                    <Icon name="check" />
                    <span className="visually-hidden">{t('read')}</span>
                  </span>
                )}
              </SiteLink>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
