import { CourseLessons, Level } from '~/features/college/CourseDetails';
import { useCollegePaths } from '~/features/college/paths';
import type { CollegeModuleJson, CourseLessonsJson } from '~/gen/sahm/content/v1/college_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import links from '~/ui/links.module.css';
import { Picture } from '~/ui/Picture';
import rows from '~/ui/rows.module.css';
import styles from './Module.module.css';

/** A category with its first courses. */
export function Module({
  module,
  lessons,
}: {
  module: CollegeModuleJson;
  /** Lessons by course id. */
  lessons: ReadonlyMap<string, CourseLessonsJson>;
}) {
  const paths = useCollegePaths();
  const { category = {}, courses = [] } = module;
  return (
    <article className={styles.module}>
      <div className={styles.category}>
        <h3 className={styles.name}>
          <SiteLink to={paths.category(category)} className={links.title}>
            {category.name}
          </SiteLink>
        </h3>
        <p className={styles.description}>{category.description}</p>
      </div>
      <ul>
        {courses.map((course) => (
          <li key={course.id} className={styles.course}>
            {course.image?.path && (
              <Picture image={course.image} decorative className={styles.picture} />
            )}
            <div className={styles.text}>
              <h4 className={styles.courseName}>
                <SiteLink to={paths.course(course)} className={links.stretched}>
                  {course.name}
                </SiteLink>
              </h4>
              <p className={styles.summary}>{course.summary}</p>
              <p className={`${rows.details} ${styles.meta}`}>
                <Level level={course.level} />
                <CourseLessons lessons={lessons.get(course.id ?? '')} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </article>
  );
}
