import type { ArticleSummaryJson } from '~/gen/sahm/content/v1/news_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import links from '~/ui/links.module.css';
import { Picture } from '~/ui/Picture';
import { TitleParts } from '~/ui/TitleParts';
import styles from './ArticleLead.module.css';
import { ArticleMeta } from './ArticleMeta';
import { articlePath } from './paths';

/** The lead article; `stacked` keeps the picture above the text. */
export function ArticleLead({
  article,
  heading: Heading,
  stacked = false,
  eager = !stacked,
}: {
  article: ArticleSummaryJson;
  /** The heading level below the section's heading. */
  heading: 'h2' | 'h3';
  stacked?: boolean;
  /** The picture is above the fold. */
  eager?: boolean;
}) {
  return (
    <article className={stacked ? styles.lead : `${styles.lead} ${styles.beside}`}>
      {article.image?.path && (
        <Picture image={article.image} decorative eager={eager} className={styles.picture} />
      )}
      <div className={styles.text}>
        <Heading className={styles.title}>
          <SiteLink to={articlePath(article)} className={links.stretched}>
            <TitleParts text={article.title ?? ''} />
          </SiteLink>
        </Heading>
        <p className={styles.summary}>{article.summary}</p>
        <ArticleMeta article={article} />
      </div>
    </article>
  );
}
