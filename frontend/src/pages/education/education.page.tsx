import { CourseCard } from '~/features/college/CourseCard';
import { LessonRow } from '~/features/college/LessonRow';
import { useCollegePaths } from '~/features/college/paths';
import type { CollegeCourseJson } from '~/gen/sahm/content/v1/college_pb';
import type { EducationPageJson } from '~/gen/sahm/page/v1/education_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { ArrowHead } from '~/ui/ArrowHead';
import { buttonClass } from '~/ui/button';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { SampleLine, SampleScope } from '~/ui/SampleScope';
import { ScaledImage } from '~/ui/ScaledImage';
import { Section } from '~/ui/Section';
import sections from '~/ui/sections.module.css';
import { NightEdge } from '~/ui/TriangleRow';
import styles from './EducationPage.module.css';
import { Module } from './Module';

/** `/education`: where to start, popular courses, all categories, what is new. */
function EducationPage({ document }: { document: EducationPageJson }) {
  const t = useMessages('education');
  const paths = useCollegePaths();
  const { modules = [], hotCourses = [], researchCentre, latestArticles = [] } = document;
  const lessons = new Map((document.lessons ?? []).map((each) => [each.courseId ?? '', each]));
  const lessonCount = [...lessons.values()].reduce(
    (sum, { articleIds = [] }) => sum + articleIds.length,
    0,
  );
  const first = modules[0]?.courses?.[0];
  // The research centre comes last, apart from the popular courses.
  const hot = hotCourses.filter(({ id }) => id !== researchCentre?.id);
  return (
    <>
      <Section as="div" night className={sections.hero}>
        <Section as="header" className={styles.head}>
          <ArrowHead />
          <div className={styles.words}>
            <h1 className={headings.large}>{t('title')}</h1>
            <p className={`${headings.standfirst} ${styles.standfirst}`}>{t('standfirst')}</p>
            {lessonCount > 0 && (
              <p className={styles.counts}>
                {t('courses.count', { count: lessons.size })} ·{' '}
                {t('lessons.count', { count: lessonCount })}
              </p>
            )}
            {first && (
              <p>
                <SiteLink to={paths.course(first)} className={buttonClass('primary', 'large')}>
                  {t('begin')}
                </SiteLink>
              </p>
            )}
          </div>
          {modules.length > 0 && (
            <nav aria-labelledby="education-index" className={styles.index}>
              <h2 id="education-index" className={styles.indexTitle}>
                {t('index')}
              </h2>
              <ol className={styles.categories}>
                {modules.map(({ id, category = {} }) => (
                  <li key={id} className={styles.category}>
                    <SiteLink to={paths.category(category)} className={styles.link}>
                      {category.name}
                      <Icon name="chevron-forward" className={styles.chevron} />
                    </SiteLink>
                  </li>
                ))}
              </ol>
            </nav>
          )}
        </Section>
      </Section>
      <NightEdge />

      {modules.length === 0 && (
        <Section as="div">
          <EmptyState title={t('empty')}>
            <p>{t('empty.hint')}</p>
          </EmptyState>
        </Section>
      )}

      {(hot.length > 0 || researchCentre) && (
        <section aria-labelledby="education-hot" className={styles.hot}>
          <Section as="div">
            <h2 id="education-hot" className={`${headings.medium} ${styles.sectionTitle}`}>
              {t('hot')}
            </h2>
            <ul className={styles.cards}>
              {hot.slice(0, 3).map((course) => (
                <li key={course.id}>
                  <CourseCard
                    course={course}
                    heading="h3"
                    plain
                    lessons={lessons.get(course.id ?? '')}
                  />
                </li>
              ))}
            </ul>
            {researchCentre && <ResearchCentre course={researchCentre} />}
          </Section>
        </section>
      )}

      {modules.length > 0 && (
        <Section aria-labelledby="education-modules" className={styles.modules}>
          <h2 id="education-modules" className={`${headings.medium} ${styles.sectionTitle}`}>
            {t('modules')}
          </h2>
          <ul>
            {modules.map((module) => (
              <li key={module.id}>
                <Module module={module} lessons={lessons} />
              </li>
            ))}
          </ul>
        </Section>
      )}

      {latestArticles.length > 0 && (
        <SampleScope items={latestArticles}>
          <Section aria-labelledby="education-latest" className={styles.latest}>
            <h2 id="education-latest" className={`${headings.medium} ${styles.sectionTitle}`}>
              {t('latest')}
            </h2>
            <SampleLine />
            <ul className={styles.articles}>
              {latestArticles.map((article) => (
                <li key={article.id}>
                  <LessonRow article={article} heading="h3" brief />
                </li>
              ))}
            </ul>
          </Section>
        </SampleScope>
      )}
    </>
  );
}

/** The research centre, the last popular entry: a link to the main site, which loads a document. */
function ResearchCentre({ course }: { course: CollegeCourseJson }) {
  const t = useMessages('education');
  const paths = useCollegePaths();
  const { name, summary, image } = course;
  return (
    <article className={styles.centre}>
      <div className={styles.centreText}>
        <p className={styles.kicker}>{t('research')}</p>
        <h3 className={headings.small}>
          <SiteLink to={paths.course(course)} document className={links.stretched}>
            {name}
          </SiteLink>
        </h3>
        <p className={styles.centreSummary}>{summary}</p>
        <span className={styles.on} aria-hidden="true">
          {t('research.open')}
          <Icon name="arrow-forward" />
        </span>
      </div>
      {image?.path && <ScaledImage image={image} alt="" loading="lazy" className={styles.art} />}
    </article>
  );
}

export default definePage({ Component: EducationPage, messages: ['education', 'college'] });
