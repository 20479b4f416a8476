import { useCollegePaths } from '~/features/college/paths';
import type { CollegeArticleSummaryJson } from '~/gen/sahm/content/v1/college_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { Icon } from '~/ui/Icon';
import secondary from '~/ui/secondary.module.css';
import styles from './CollegeArticle.module.css';

/** The previous and next lesson of the course. */
export function Neighbours({
  articles,
  id,
}: {
  articles: readonly CollegeArticleSummaryJson[];
  id: string;
}) {
  const t = useMessages('college-article');
  const paths = useCollegePaths();
  const { previous, next } = neighboursOf(articles, id);
  if (!previous && !next) return null;
  return (
    <nav aria-label={t('neighbours')} className={`${styles.neighbours} screen-only`}>
      {previous && (
        <SiteLink to={paths.article(previous)} rel="prev" className={styles.link}>
          <span className={secondary.small}>{t('previous')}</span>
          <span className={styles.name}>{previous.title}</span>
        </SiteLink>
      )}
      {next && (
        <SiteLink to={paths.article(next)} rel="next" className={`${styles.link} ${styles.next}`}>
          <span className={secondary.small}>{t('next')}</span>
          <span className={styles.name}>
            {next.title}
            <Icon name="arrow-forward" />
          </span>
        </SiteLink>
      )}
    </nav>
  );
}

/** The items before and after an item in a list; none if it is not in the list. */
export function neighboursOf<T extends { id?: string }>(
  items: readonly T[],
  id: string,
): { previous?: T | undefined; next?: T | undefined } {
  const at = items.findIndex((item) => item.id === id);
  return at < 0 ? {} : { previous: items[at - 1], next: items[at + 1] };
}
