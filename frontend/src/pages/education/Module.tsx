import { Level } from '~/features/college/Level';
import { useCollegePaths } from '~/features/college/paths';
import type { CollegeModuleJson } from '~/gen/sahm/content/v1/college_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import { textLinkClass } from '~/ui/text-link';
import styles from './Module.module.css';

/** A category with its first courses. */
export function Module({ module }: { module: CollegeModuleJson }) {
  const t = useMessages('education');
  const paths = useCollegePaths();
  const { category = {}, courses = [] } = module;
  const name = category.name;
  return (
    <article className={styles.module}>
      <div className={styles.category}>
        <h3 className={styles.name}>{name}</h3>
        <p className={styles.description}>{category.description}</p>
        <SiteLink to={paths.category(category)} className={textLinkClass}>
          {t('category.open')}
          <span className="visually-hidden">: {name}</span>
          <Icon name="arrow-forward" />
        </SiteLink>
      </div>
      <ul className={styles.courses}>
        {courses.map((course) => (
          <li key={course.id} className={styles.course}>
            <div>
              <h4 className={styles.courseName}>
                <SiteLink to={paths.course(course)} className={styles.link}>
                  {course.name}
                </SiteLink>
              </h4>
              <p className={styles.summary}>{course.summary}</p>
            </div>
            <p className={styles.level}>
              <Level level={course.level} />
            </p>
          </li>
        ))}
      </ul>
    </article>
  );
}
