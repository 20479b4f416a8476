import { useMemo } from 'react';
import type { ListLikesResponseJson, OperateLikeResponseJson } from '~/gen/sahm/content/v1/news_pb';
import { call, request } from '~/lib/api';
import { usePage } from '~/lib/page/page';
import type { LikeCalls } from '~/ui/likes/useLike';

/** Likes of a news article. */
export function useArticleLikes(contentId: string): LikeCalls {
  const { locale } = usePage();
  return useMemo(
    () => ({
      async load(signal) {
        const options = { locale, signal };
        const { items = [] } = await call<ListLikesResponseJson>(
          '/news/like/list',
          { contentIds: contentId },
          options,
        );
        const likes = items[0];
        return { liked: likes?.liked ?? false, count: likes && Number(likes.count ?? 0) };
      },
      async save(like) {
        const { data } = await request<OperateLikeResponseJson>(
          '/news/like/operate',
          { contentId, like },
          { locale },
        );
        return Number(data.count ?? 0);
      },
    }),
    [contentId, locale],
  );
}
