import type { MouseEvent } from 'react';
import { SiteLink } from '~/lib/links/SiteLink';
import { useMessages } from '~/lib/messages/messages';
import { buttonClass } from '~/ui/button';
import styles from './LoadMore.module.css';
import type { LoadState } from './useLoadMore';

/** The link to the next page of a list, with its status message. */
export function LoadMore({
  link: { href, state, onMore, added },
  texts,
}: {
  link: {
    /** Empty at the end of the list. */
    href: string;
    state: LoadState;
    onMore(event: MouseEvent): void;
    /** The number of added items. */
    added: number;
  };
  texts: { more: string; loading: string; end: string; loaded(count: number): string };
}) {
  const t = useMessages('common');
  if (!href && added === 0) return null;
  const hasFailed = state === 'failed' || state === 'unreachable';
  return (
    <div className={`${styles.end} screen-only`}>
      {href ? (
        <SiteLink
          to={href}
          className={buttonClass('quiet')}
          aria-busy={state === 'loading'}
          onClick={onMore}
        >
          {state === 'loading' ? texts.loading : texts.more}
        </SiteLink>
      ) : (
        <p className={styles.last}>{texts.end}</p>
      )}
      <p role="status" className={hasFailed ? styles.failed : 'visually-hidden'}>
        {hasFailed && t(state === 'failed' ? 'failure.service' : 'failure.timeout')}
        {state === 'idle' && added > 0 && texts.loaded(added)}
      </p>
    </div>
  );
}
