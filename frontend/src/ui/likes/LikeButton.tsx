import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { useIsDraft, usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import pill from '~/ui/pill.module.css';
import { type LikeCalls, useLike } from './useLike';

/** Likes a text or removes the like; shows the number of likes, if any. Absent without scripts. */
export function LikeButton({ id, count, calls }: { id: string; count: number; calls: LikeCalls }) {
  const { locale } = usePage();
  const t = useMessages('reading');
  const isDraft = useIsDraft();
  const like = useLike(isDraft ? '' : id, count, calls);
  return (
    <button
      type="button"
      className={`${pill.pill} screen-only`}
      disabled={isDraft}
      aria-pressed={like.liked}
      onClick={like.toggle}
    >
      <Icon name={like.liked ? 'heart-full' : 'heart'} />
      <span className={like.count ? 'visually-hidden' : undefined} data-live="">
        {t('like')}{' '}
      </span>
      {like.count ? (
        <span className={pill.count} data-live="">
          {formatNumber(locale, like.count)}
        </span>
      ) : null}
    </button>
  );
}
