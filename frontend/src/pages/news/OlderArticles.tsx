import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { ArticleRow } from '~/features/news/ArticleRow';
import { append, fetchMore, moreHref } from '~/features/news/more';
import type { ArticleSummaryJson } from '~/gen/sahm/content/v1/news_pb';
import { withoutLocale } from '~/lib/links/paths';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { usePage } from '~/lib/page/page';
import { buttonClass } from '~/ui/button';
import { Icon } from '~/ui/Icon';
import { textLinkClass } from '~/ui/text-link';
import styles from './OlderArticles.module.css';

interface Props {
  articles: ArticleSummaryJson[];
  nextCursor: string;
  /** The page itself was asked for with a cursor. */
  continued: boolean;
}

/**
 * The list below the lead, and the link to what is older: a page of its own without scripts; with
 * them the articles join the list, and the focus goes to the first of them.
 */
export function OlderArticles({ articles, nextCursor, continued }: Props) {
  const { url } = usePage();
  const t = useMessages('news');
  const [list, setList] = useState({ articles, nextCursor, firstNew: '' });
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const firstNew = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (list.firstNew) firstNew.current?.focus();
  }, [list.firstNew]);

  const href = moreHref(url, list.nextCursor);
  async function onMore(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (state === 'loading') return;
    setState('loading');
    try {
      const more = await fetchMore(href);
      setList((before) => ({
        articles: append(before.articles, more.articles),
        nextCursor: more.nextCursor,
        firstNew: more.articles[0]?.id ?? '',
      }));
      setState('idle');
    } catch {
      setState('failed');
    }
  }

  const added = list.articles.length - articles.length;
  return (
    <div className={styles.older}>
      {continued && (
        <div className={styles.continued}>
          <p>{t('continued')}</p>
          <SiteLink to={withoutLocale(url.split('?', 1)[0] ?? '')} className={textLinkClass}>
            {t('newest')}
            <Icon name="arrow-forward" />
          </SiteLink>
        </div>
      )}
      <ul>
        {list.articles.map((article) => (
          <li key={article.id}>
            <ArticleRow
              article={article}
              heading="h2"
              linkRef={article.id === list.firstNew ? firstNew : undefined}
            />
          </li>
        ))}
      </ul>
      <div className={styles.end}>
        {list.nextCursor ? (
          <SiteLink
            to={href}
            className={buttonClass('quiet')}
            aria-current={undefined}
            aria-busy={state === 'loading'}
            onClick={onMore}
          >
            {state === 'loading' ? t('loading') : t('more')}
          </SiteLink>
        ) : (
          added > 0 && <p className={styles.last}>{t('end')}</p>
        )}
        <p role="status" className={state === 'failed' ? styles.failed : 'visually-hidden'}>
          {state === 'failed' && t('failed')}
          {state === 'idle' && added > 0 && t('loaded', { count: added })}
        </p>
      </div>
    </div>
  );
}
