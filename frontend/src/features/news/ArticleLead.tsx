import type { ArticleSummaryJson } from '~/gen/sahm/content/v1/news_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { Picture } from '~/ui/Picture';
import styles from './ArticleLead.module.css';
import { ArticleMeta } from './ArticleMeta';
import { articlePath } from './paths';

/** The article that stands first, large; `stacked` keeps the picture above the words. */
export function ArticleLead({
  article,
  heading: Heading,
  stacked = false,
  eager = !stacked,
}: {
  article: ArticleSummaryJson;
  /** The level that follows from what it stands under. */
  heading: 'h2' | 'h3';
  stacked?: boolean;
  /** The picture is among the first things seen. */
  eager?: boolean;
}) {
  return (
    <article className={stacked ? styles.lead : `${styles.lead} ${styles.beside}`}>
      {article.image?.path && (
        <Picture image={article.image} decorative eager={eager} className={styles.picture} />
      )}
      <div className={styles.text}>
        <Heading className={styles.title}>
          <SiteLink to={articlePath(article)} className={styles.link}>
            {article.title}
          </SiteLink>
        </Heading>
        <p className={styles.summary}>{article.summary}</p>
        <ArticleMeta article={article} />
      </div>
    </article>
  );
}
