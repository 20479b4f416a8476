import { CourseCard } from '~/features/college/CourseCard';
import { MoreLink } from '~/features/more/MoreLink';
import type { Part } from '~/features/more/more';
import { useMore } from '~/features/more/useMore';
import type { CollegeCourseJson } from '~/gen/sahm/content/v1/college_pb';
import type { EducationCategoryPageJson } from '~/gen/sahm/page/v1/education_pb';
import { useMessages } from '~/lib/messages/messages';

/** A category's courses, and the link to more of them. */
export function Courses({ document }: { document: EducationCategoryPageJson }) {
  const t = useMessages('education');
  const { items, linkRef, link } = useMore(partOf(document), partOf);
  return (
    <>
      <ul>
        {items.map((course) => (
          <li key={course.id}>
            <CourseCard course={course} heading="h2" row linkRef={linkRef(course)} />
          </li>
        ))}
      </ul>
      <MoreLink
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
}: EducationCategoryPageJson): Part<CollegeCourseJson> {
  return { items: courses, nextCursor };
}
