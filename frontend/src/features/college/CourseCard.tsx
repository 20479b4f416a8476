import type { Ref } from 'react';
import type { CollegeCourseJson, CourseLessonsJson } from '~/gen/sahm/content/v1/college_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Badge } from '~/ui/Badge';
import links from '~/ui/links.module.css';
import { Picture } from '~/ui/Picture';
import rows from '~/ui/rows.module.css';
import secondary from '~/ui/secondary.module.css';
import styles from './CourseCard.module.css';
import { CourseLessons, Level } from './CourseDetails';
import { useCollegePaths } from './paths';

/**
 * A course: picture, name, summary, difficulty. `row` puts the picture next to the text where there
 * is room.
 */
export function CourseCard({
  course,
  heading: Heading,
  row = false,
  plain = false,
  lessons,
  linkRef,
}: {
  course: CollegeCourseJson;
  /** The heading level below the list's heading. */
  heading: 'h2' | 'h3';
  row?: boolean;
  /** Hides the label of popular courses. */
  plain?: boolean;
  /** Absent if unknown. */
  lessons?: CourseLessonsJson | undefined;
  linkRef?: Ref<HTMLAnchorElement> | undefined;
}) {
  const t = useMessages('college');
  const paths = useCollegePaths();
  const { name, summary, image } = course;
  return (
    <article className={row ? `${styles.card} ${styles.row}` : styles.card}>
      {image?.path && <Picture image={image} decorative />}
      <div className={styles.text}>
        <Heading className={styles.name}>
          <SiteLink to={paths.course(course)} className={links.stretched} ref={linkRef}>
            {name}
          </SiteLink>
        </Heading>
        <p className={secondary.text}>{summary}</p>
        <p className={`${rows.details} ${styles.meta}`}>
          <Level level={course.level} />
          <CourseLessons lessons={lessons} />
          {course.hot && !plain && <Badge>{t('hot')}</Badge>}
        </p>
      </div>
    </article>
  );
}
