import type { Ref } from 'react';
import type { CollegeArticleSummaryJson } from '~/gen/sahm/content/v1/college_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import links from '~/ui/links.module.css';
import rows from '~/ui/rows.module.css';
import { SampleMark } from '~/ui/SampleScope';
import { Time } from '~/ui/Time';
import styles from './LessonRow.module.css';
import { useCollegePaths } from './paths';

/** A lesson or company article in a list: title, summary, details. */
export function LessonRow({
  article,
  heading: Heading,
  brief = false,
  linkRef,
}: {
  article: CollegeArticleSummaryJson;
  /** The heading level below the list's heading. */
  heading: 'h2' | 'h3';
  /** Smaller, without the summary. */
  brief?: boolean;
  linkRef?: Ref<HTMLAnchorElement> | undefined;
}) {
  const t = useMessages('common');
  const paths = useCollegePaths();
  const { title, summary, readingMinutes = 1, publishedAt = 0 } = article;
  return (
    <article className={brief ? `${styles.row} ${styles.brief}` : styles.row}>
      <Heading className={styles.title}>
        <SiteLink to={paths.article(article)} className={links.stretched} ref={linkRef}>
          {title}
        </SiteLink>
      </Heading>
      {!brief && <p className={styles.summary}>{summary}</p>}
      <p className={rows.dotted}>
        <span>{t('reading', { minutes: readingMinutes })}</span>
        <SampleMark item={article} />
        <Time epoch={publishedAt} />
      </p>
    </article>
  );
}
