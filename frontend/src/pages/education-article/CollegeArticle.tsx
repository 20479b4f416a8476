import type { ReactNode } from 'react';
import { CompanyArt } from '~/features/college/CompanyArt';
import { LessonRow } from '~/features/college/LessonRow';
import { useCollegePaths } from '~/features/college/paths';
import { useLessonLikes, useLessonRead } from '~/features/college/useLesson';
import { AfterList } from '~/features/reading/AfterList';
import after from '~/features/reading/after.module.css';
import reading from '~/features/reading/reading.module.css';
import { Byline, SampleNote, TextTitle } from '~/features/reading/TextHead';
import { ShareButton } from '~/features/share/ShareButton';
import type { EducationArticlePageJson } from '~/gen/sahm/page/v1/education_pb';
import { pathTo } from '~/lib/links/path-to';
import { languageOf } from '~/lib/locale';
import { useMessages } from '~/lib/messages/messages';
import { Breadcrumb } from '~/ui/Breadcrumb';
import { LikeButton } from '~/ui/likes/LikeButton';
import { OneLanguage } from '~/ui/Note';
import { Prose } from '~/ui/Prose';
import { SampleScope } from '~/ui/SampleScope';
import { Section } from '~/ui/Section';
import { TriangleRow } from '~/ui/TriangleRow';
import styles from './CollegeArticle.module.css';
import { CourseLessons } from './CourseLessons';
import { Neighbours } from './Neighbours';

/** A lesson or company article with its video. */
export function CollegeArticle({
  document,
  children,
}: {
  document: EducationArticlePageJson;
  children?: ReactNode;
}) {
  const t = useMessages('college-article');
  const texts = useMessages('reading');
  const paths = useCollegePaths();
  const { article = {}, otherLanguage = false, courseArticles = [] } = document;
  const { id = '', title = '', summary = '', kind, sample, likeCount } = article;
  const inCourse = new Set(courseArticles.map((lesson) => lesson.id));
  const others = (document.recommended ?? []).filter((lesson) => !inCourse.has(lesson.id));
  // One alone would leave most of the row empty.
  const recommended = others.length > 1 ? others : [];
  const company = kind === 'company-article';
  const number = courseArticles.findIndex((lesson) => lesson.id === id) + 1;
  const course = document.breadcrumb?.find((step) => step.kind === 'course');
  const language = languageOf(article.locale, otherLanguage);
  const likes = useLessonLikes(id);
  useLessonRead(id);

  const steps = company
    ? [{ name: t('company-news'), to: paths.keep(pathTo('company-news-list')) }]
    : [
        { name: t('education'), to: paths.home },
        ...(document.breadcrumb ?? [])
          // The course alone: its category often has the same name.
          .filter((step) => (course ? step === course : step.kind !== 'article'))
          .map(({ name = '', link }) => ({ name, to: link && paths.keep(link) })),
      ];
  return (
    <>
      <Section as="article" className={reading.page}>
        {otherLanguage && <OneLanguage />}
        <header className={reading.head}>
          <Breadcrumb label={t('way')} steps={steps} />
          {number > 0 && (
            <p className={reading.kicker}>
              {t('lesson', { number, count: courseArticles.length })}
            </p>
          )}
          <TextTitle title={title} summary={summary} language={language} />
          <div className={reading.bar}>
            <Byline article={article} language={language} />
            <div className={reading.actions}>
              <LikeButton key={id} id={id} count={Number(likeCount ?? 0)} calls={likes} />
              <ShareButton subject="edu" title={title} description={summary} />
            </div>
          </div>
        </header>
        <div className={styles.body}>
          {company && (
            <CompanyArt {...(article.slug && { slug: article.slug })} className={styles.art} />
          )}
          {children}
          <Prose html={article.bodyHtml} language={language} />
          <Neighbours articles={courseArticles} id={id} />
        </div>
        <aside className={reading.aside} aria-label={t(company ? 'about' : 'beside')}>
          <div className={reading.notes}>
            {sample && <SampleNote kind={company ? 'company' : 'lesson'} />}
            <p>{texts('advice')}</p>
          </div>
        </aside>
      </Section>
      {/* The article's note covers all of them if all are samples. */}
      <SampleScope items={[article, ...recommended]}>
        {courseArticles.length + recommended.length > 0 && (
          <div className={`${after.after} screen-only`}>
            <TriangleRow rows={2} className={after.edge} />
            <CourseLessons lessons={courseArticles} id={id} course={course?.name ?? ''} />
            {recommended.length > 0 && (
              <AfterList
                id="recommended"
                title={t(company ? 'recommended.company' : 'recommended')}
                all={
                  company
                    ? { name: t('all.company'), to: paths.keep(pathTo('company-news-list')) }
                    : { name: t('all'), to: paths.home }
                }
              >
                {recommended.map((lesson) => (
                  <li key={lesson.id}>
                    <LessonRow article={lesson} heading="h3" brief />
                  </li>
                ))}
              </AfterList>
            )}
          </div>
        )}
      </SampleScope>
    </>
  );
}
