import { CourseCard } from '~/features/college/CourseCard';
import type { CollegeCourseJson } from '~/gen/sahm/content/v1/college_pb';
import type { EducationCategoryPageJson } from '~/gen/sahm/page/v1/education_pb';
import { useMessages } from '~/lib/messages/messages';
import type { CursorPage } from '~/ui/pagination/cursor-page';
import { LoadMore } from '~/ui/pagination/LoadMore';
import { useLoadMore } from '~/ui/pagination/useLoadMore';

/** A category's courses, and the link to more of them. */
export function Courses({ document }: { document: EducationCategoryPageJson }) {
  const t = useMessages('education');
  const { items, linkRef, link } = useLoadMore(partOf(document), partOf);
  return (
    <>
      <ul>
        {items.map((course) => (
          <li key={course.id}>
            <CourseCard course={course} heading="h2" row linkRef={linkRef(course)} />
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

function partOf({
  courses = [],
  nextCursor = '',
}: EducationCategoryPageJson): CursorPage<CollegeCourseJson> {
  return { items: courses, nextCursor };
}
