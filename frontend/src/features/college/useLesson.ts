import { useEffect, useMemo } from 'react';
import {
  addCollegeArticleLike,
  addCollegeArticleReadLog,
  cancelCollegeArticleLike,
} from '~/gen/operations';
import { post, postWithToast } from '~/lib/api';
import { useIsDraft, usePage } from '~/lib/page/page';
import { readStored, writeStored } from '~/lib/storage';
import type { LikeCalls } from '~/ui/likes/useLike';
import { idsIn, markRead, withLesson } from './lessons';

const LIKED_LESSONS_KEY = 'sahm_lessons_liked';

/**
 * Likes of a lesson. The service counts each visitor once but does not say who liked, so the
 * browser remembers it.
 */
export function useLessonLikes(articleId: string): LikeCalls {
  const { locale } = usePage();
  return useMemo(
    () => ({
      load: async () => ({ liked: idsIn(readStored(LIKED_LESSONS_KEY)).includes(articleId) }),
      async save(liked) {
        const operation = liked ? addCollegeArticleLike : cancelCollegeArticleLike;
        const { data } = await postWithToast(operation, { articleId }, { locale });
        const ids = idsIn(readStored(LIKED_LESSONS_KEY));
        const others = ids.filter((id) => id !== articleId);
        writeStored(LIKED_LESSONS_KEY, liked ? withLesson(ids, articleId) : others);
        return Number(data.count ?? 0);
      },
    }),
    [articleId, locale],
  );
}

/** Counts one reading of a lesson silently, and remembers it in this browser. */
export function useLessonRead(articleId: string): void {
  const { locale } = usePage();
  const isDraft = useIsDraft();
  useEffect(() => {
    if (!articleId || isDraft) return;
    markRead(articleId);
    post(addCollegeArticleReadLog, { articleId }, { locale, keepalive: true }).catch(() => {});
  }, [articleId, isDraft, locale]);
}
