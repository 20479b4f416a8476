import { formatNumber } from '~/lib/format/format';
import { useMessages } from '~/lib/messages/messages';
import { useIsDraft, usePage } from '~/lib/page/page';
import { Icon } from '~/ui/Icon';
import pill from '~/ui/pill.module.css';
import { type LikeCalls, useLike } from './useLike';

/** Likes a text or removes the like; shows the number of likes. Absent without scripts. */
export function LikeButton({ id, count, calls }: { id: string; count: number; calls: LikeCalls }) {
  const { locale } = usePage();
  const t = useMessages('reading');
  const isDraft = useIsDraft();
  const like = useLike(isDraft ? '' : id, count, calls);
  const { count: likes = 0 } = like;
  return (
    <button
      type="button"
      className={`${pill.pill} screen-only`}
      disabled={isDraft}
      aria-pressed={like.liked}
      onClick={like.toggle}
    >
      <Icon name={like.liked ? 'heart-full' : 'heart'} />
      <span className={likes > 0 ? 'visually-hidden' : pill.count}>{t('like')} </span>
      {likes > 0 && (
        <span className={pill.count} data-live="">
          {formatNumber(locale, likes)}
        </span>
      )}
    </button>
  );
}
