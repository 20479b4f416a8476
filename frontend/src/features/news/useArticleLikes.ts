import { useMemo } from 'react';
import { listLikes, operateLike } from '~/gen/operations';
import { post, postWithToast } from '~/lib/api';
import { usePage } from '~/lib/page/page';
import type { LikeCalls } from '~/ui/likes/useLike';

export function useArticleLikes(contentId: string): LikeCalls {
  const { locale } = usePage();
  return useMemo(
    () => ({
      async load(signal) {
        const options = { locale, signal };
        const { items = [] } = await post(listLikes, { contentIds: contentId }, options);
        const likes = items[0];
        return { liked: likes?.liked ?? false, count: likes && Number(likes.count ?? 0) };
      },
      async save(like) {
        const { data } = await postWithToast(operateLike, { contentId, like }, { locale });
        return Number(data.count ?? 0);
      },
    }),
    [contentId, locale],
  );
}
