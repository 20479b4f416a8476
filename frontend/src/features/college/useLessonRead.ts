import { useEffect } from 'react';
import { addCollegeArticleReadLog } from '~/gen/operations';
import { post } from '~/lib/api';
import { useIsDraft } from '~/lib/page/draft';
import { usePage } from '~/lib/page/page';
import { markRead } from './lessons';

/** Counts one reading of an article, silently, and remembers it in this browser. */
export function useLessonRead(articleId: string): void {
  const { locale } = usePage();
  const isDraft = useIsDraft();
  useEffect(() => {
    if (!articleId || isDraft) return;
    markRead(articleId);
    post(addCollegeArticleReadLog, { articleId }, { locale, keepalive: true }).catch(() => {});
  }, [articleId, isDraft, locale]);
}
