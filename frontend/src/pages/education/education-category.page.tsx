import { CourseCard } from '~/features/college/CourseCard';
import { useCollegePaths } from '~/features/college/paths';
import type { CollegeCourseJson, CourseLessonsJson } from '~/gen/sahm/content/v1/college_pb';
import type { EducationCategoryPageJson } from '~/gen/sahm/page/v1/education_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { definePage } from '~/lib/page/define-page';
import { Breadcrumb } from '~/ui/Breadcrumb';
import { EmptyState } from '~/ui/EmptyState';
import headings from '~/ui/headings.module.css';
import links from '~/ui/links.module.css';
import type { CursorPage } from '~/ui/pagination/cursor-page';
import { LoadMore } from '~/ui/pagination/LoadMore';
import { useLoadMore } from '~/ui/pagination/useLoadMore';
import { Section } from '~/ui/Section';
import styles from './CategoryPage.module.css';

/** `/education/category/{categoryId?}`: a category's courses, with links to other categories. */
function CategoryPage({ document }: { document: EducationCategoryPageJson }) {
  const t = useMessages('education');
  const paths = useCollegePaths();
  const { categories = [], category = {}, courses = [], continued = false } = document;
  const { name = '' } = category;
  return (
    <Section as="div" className={styles.page}>
      <header className={styles.head}>
        <Breadcrumb label={t('way')} steps={[{ name: t('title'), to: paths.home }, { name }]} />
        <h1 className={headings.medium}>{name}</h1>
        <p className={styles.standfirst}>{category.description}</p>
      </header>
      <nav aria-label={t('categories')} className={styles.nav}>
        <ul className={styles.categories}>
          {categories.map((other) => (
            <li key={other.id}>
              <SiteLink
                to={paths.category(other)}
                aria-current={other.id === category.id ? 'page' : undefined}
                className={styles.category}
              >
                {other.name}
              </SiteLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.courses}>
        {continued && (
          <p>
            <SiteLink to={paths.category(category)} className={links.text}>
              {t('first-page')}
            </SiteLink>
          </p>
        )}
        {courses.length > 0 ? (
          <Courses key={courses[0]?.id} document={document} />
        ) : (
          <EmptyState title={t('empty')}>
            <p>{t('empty.courses')}</p>
          </EmptyState>
        )}
      </div>
    </Section>
  );
}

export default definePage({ Component: CategoryPage, messages: ['education', 'college'] });

/** A category's courses, with a link to more. */
export function Courses({ document }: { document: EducationCategoryPageJson }) {
  const t = useMessages('education');
  const { items, linkRef, link } = useLoadMore(partOf(document), partOf);
  return (
    <>
      <ul>
        {items.map((item) => (
          <li key={item.id}>
            <CourseCard
              course={item.course}
              lessons={item.lessons}
              heading="h2"
              row
              linkRef={linkRef(item)}
            />
          </li>
        ))}
      </ul>
      <LoadMore
        link={link}
        texts={{
          more: t('courses.more'),
          loading: t('loading'),
          end: t('courses.end'),
          loaded: (count) => t('courses.loaded', { count }),
        }}
      />
    </>
  );
}

interface Item {
  id?: string;
  course: CollegeCourseJson;
  lessons?: CourseLessonsJson | undefined;
}

function partOf({
  courses = [],
  lessons = [],
  nextCursor = '',
}: EducationCategoryPageJson): CursorPage<Item> {
  const items = courses.map((course) => ({
    id: course.id ?? '',
    course,
    lessons: lessons.find(({ courseId }) => courseId === course.id),
  }));
  return { items, nextCursor };
}
