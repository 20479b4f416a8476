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
  brief = false,
  summary = !brief,
  linkRef,
}: {
  article: ArticleSummaryJson;
  /** The heading level below the list's heading. */
  heading: 'h2' | 'h3';
  /** Smaller, without the reading time. */
  brief?: boolean;
  /** Shows the summary below the headline. */
  summary?: boolean;
  linkRef?: Ref<HTMLAnchorElement> | undefined;
}) {
  return (
    <article className={brief ? `${styles.row} ${styles.brief}` : styles.row}>
      <div className={styles.text}>
        <Heading className={styles.title}>
          <SiteLink
            to={articlePath(article)}
            className={links.stretched}
            {...(linkRef && { ref: linkRef })}
          >
            {article.title}
          </SiteLink>
        </Heading>
        {summary && <p className={styles.summary}>{article.summary}</p>}
        <ArticleMeta article={article} brief={brief} />
      </div>
      {article.image?.path && (
        <Picture image={article.image} decorative className={styles.picture} />
      )}
    </article>
  );
}
