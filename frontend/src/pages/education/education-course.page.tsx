import { Level } from '~/features/college/CourseDetails';
import { CourseVideo } from '~/features/college/CourseVideo';
import { nextLesson, useReadLessons } from '~/features/college/lessons';
import { useCollegePaths } from '~/features/college/paths';
import type { CollegeArticleSummaryJson } from '~/gen/sahm/content/v1/college_pb';
import type { EducationCoursePageJson } from '~/gen/sahm/page/v1/education_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { Breadcrumb } from '~/ui/Breadcrumb';
import { buttonClass } from '~/ui/button';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { Picture } from '~/ui/Picture';
import rows from '~/ui/rows.module.css';
import { SampleLine, SampleMark, SampleScope } from '~/ui/SampleScope';
import { Section } from '~/ui/Section';
import { TextLink } from '~/ui/TextLink';
import styles from './CoursePage.module.css';

/** `/education/course/{courseId?}/{categoryId?}`: a course's summary, lessons and videos. */
function CoursePage({ document }: { document: EducationCoursePageJson }) {
  const t = useMessages('education');
  const paths = useCollegePaths();
  const read = useReadLessons();
  const { course = {}, articles = [], breadcrumb = [], videos = [] } = document;
  const { summary, image } = course;
  const minutes = articles.reduce((sum, { readingMinutes = 1 }) => sum + readingMinutes, 0);
  const next = nextLesson(articles, read);
  const advice = <p className={styles.advice}>{t('advice')}</p>;
  const steps = [
    { name: t('title'), to: paths.home },
    ...breadcrumb
      .filter(({ kind }) => kind === 'category')
      .map(({ name = '', link }) => ({ name, to: link && paths.keep(link) })),
  ];
  return (
    <SampleScope items={articles}>
      <Section as="div" className={styles.page}>
        <header className={styles.head}>
          <div className={styles.words}>
            <Breadcrumb label={t('way')} steps={steps} />
            <h1 className={headings.medium}>{course.name}</h1>
            <p className={`${headings.standfirst} ${styles.standfirst}`}>{summary}</p>
            <ul className={styles.facts}>
              <li>
                <Level level={course.level} />
              </li>
              {articles.length > 0 && (
                <>
                  <li>{t('lessons.count', { count: articles.length })}</li>
                  <li>{t('minutes', { minutes })}</li>
                </>
              )}
            </ul>
            {next && (
              <p>
                <SiteLink
                  to={paths.article(next.lesson)}
                  className={buttonClass('primary', 'large')}
                >
                  {next.begun ? t('continue', { number: next.number }) : t('start')}
                </SiteLink>
              </p>
            )}
            <SampleLine />
          </div>
          {image?.path && <Picture image={image} decorative eager />}
        </header>
        <div className={videos.length > 0 ? styles.columns : undefined}>
          <section aria-labelledby="course-lessons" className={styles.section}>
            <h2 id="course-lessons" className={`${headings.small} ${styles.sectionTitle}`}>
              {t('lessons')}
            </h2>
            {articles.length > 0 ? (
              <>
                <Lessons articles={articles} />
                <p className={styles.more}>
                  <TextLink to={steps.at(-1)?.to || paths.home}>{t('courses.more')}</TextLink>
                </p>
              </>
            ) : (
              <EmptyState title={t('empty')}>
                <p>{t('empty.lessons')}</p>
              </EmptyState>
            )}
          </section>
          {videos.length > 0 && (
            <section aria-labelledby="course-videos" className={styles.section}>
              <h2 id="course-videos" className={`${headings.small} ${styles.sectionTitle}`}>
                {t('videos', { count: videos.length })}
              </h2>
              <ul className={styles.videos}>
                {videos.map((video) => (
                  <li key={video.id}>
                    <CourseVideo video={video} />
                  </li>
                ))}
              </ul>
              {advice}
            </section>
          )}
        </div>
        {videos.length === 0 && advice}
      </Section>
    </SampleScope>
  );
}

/** The numbered lessons of a course; those read in this browser are ticked. */
function Lessons({ articles }: { articles: readonly CollegeArticleSummaryJson[] }) {
  const t = useMessages('education');
  const common = useMessages('common');
  const paths = useCollegePaths();
  const read = useReadLessons();
  return (
    <ol className={styles.lessons}>
      {articles.map((lesson) => (
        <li key={lesson.id} className={styles.lesson}>
          <div className={styles.lessonText}>
            <h3 className={styles.lessonTitle}>
              <SiteLink to={paths.article(lesson)} className={links.stretched}>
                {lesson.title}
              </SiteLink>
            </h3>
            <p className={styles.lessonSummary}>{lesson.summary}</p>
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

export default definePage({ Component: CoursePage, messages: ['education', 'college'] });
