import type { Ref } from 'react';
import type { ArticleSummaryJson } from '~/gen/sahm/content/v1/news_pb';
import { SiteLink } from '~/lib/links/SiteLink';
import { Picture } from '~/ui/Picture';
import { ArticleMeta } from './ArticleMeta';
import styles from './ArticleRow.module.css';
import { articlePath } from './paths';

/** An article in a list: headline, a sentence, its line, a small picture at the line's end. */
export function ArticleRow({
  article,
  heading: Heading,
  brief = false,
  summary = !brief,
  linkRef,
}: {
  article: ArticleSummaryJson;
  /** The level that follows from what the list stands under. */
  heading: 'h2' | 'h3';
  /** Smaller, without the reading length. */
  brief?: boolean;
  /** With the sentence below the headline. */
  summary?: boolean;
  linkRef?: Ref<HTMLAnchorElement> | undefined;
}) {
  return (
    <article className={brief ? `${styles.row} ${styles.brief}` : styles.row}>
      <div className={styles.text}>
        <Heading className={styles.title}>
          <SiteLink
            to={articlePath(article)}
            className={styles.link}
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
