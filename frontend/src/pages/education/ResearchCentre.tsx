import { useCollegePaths } from '~/features/college/paths';
import type { CollegeCourseJson } from '~/gen/sahm/content/v1/college_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import headings from '~/ui/headings.module.css';
import { Icon } from '~/ui/Icon';
import links from '~/ui/links.module.css';
import { ScaledImage } from '~/ui/ScaledImage';
import styles from './ResearchCentre.module.css';

/** The research centre, the last popular entry: a link to the main site, which loads a document. */
export function ResearchCentre({ course }: { course: CollegeCourseJson }) {
  const t = useMessages('education');
  const paths = useCollegePaths();
  const { name, summary, image } = course;
  return (
    <article className={styles.centre}>
      <div className={styles.text}>
        <p className={styles.kicker}>{t('research')}</p>
        <h3 className={headings.small}>
          <SiteLink to={paths.course(course)} document className={links.stretched}>
            {name}
          </SiteLink>
        </h3>
        <p className={styles.summary}>{summary}</p>
        <span className={styles.on} aria-hidden="true">
          {t('research.open')}
          <Icon name="arrow-forward" />
        </span>
      </div>
      {image?.path && <ScaledImage image={image} alt="" loading="lazy" className={styles.art} />}
    </article>
  );
}
