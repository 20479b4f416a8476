import type { Ref } from 'react';
import type { ArticleSummaryJson } from '~/gen/sahm/content/v1/news_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import links from '~/ui/links.module.css';
import { Picture } from '~/ui/Picture';
import { ArticleMeta } from './ArticleMeta';
import styles from './ArticleRow.module.css';
import { articlePath } from './paths';

/** An article in a list: headline, summary, details, thumbnail. */
export function ArticleRow({
  article,
  heading: Heading,
  layout,
  summary = !layout,
  linkRef,
}: {
  article: ArticleSummaryJson;
  /** The heading level below the list's heading. */
  heading: 'h2' | 'h3';
  /** Smaller, without the reading time; `stacked` with the picture above on wide screens. */
  layout?: 'brief' | 'stacked';
  /** Shows the summary below the headline. */
  summary?: boolean;
  linkRef?: Ref<HTMLAnchorElement> | undefined;
}) {
  return (
    <article className={`${styles.row} ${layout ? styles[layout] : ''}`}>
      <div className={styles.text}>
        <Heading className={styles.title}>
          <SiteLink to={articlePath(article)} className={links.stretched} ref={linkRef}>
            {article.title}
          </SiteLink>
        </Heading>
        {summary && <p className={styles.summary}>{article.summary}</p>}
        <ArticleMeta article={article} />
      </div>
      {article.image?.path && (
        <Picture image={article.image} decorative className={styles.picture} />
      )}
    </article>
  );
}
