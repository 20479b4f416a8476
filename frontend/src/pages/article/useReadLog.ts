import { useEffect } from 'react';
import { addArticleReadLog } from '~/gen/operations';
import { post } from '~/lib/api';
import { useIsDraft } from '~/lib/page/draft';
import { usePage } from '~/lib/page/page';

/** Counts one reading of an article, silently: a reader misses nothing when it fails. */
export function useReadLog(id: string): void {
  const { locale } = usePage();
  const isDraft = useIsDraft();
  useEffect(() => {
    if (!id || isDraft) return;
    post(addArticleReadLog, { id }, { locale, keepalive: true }).catch(() => {});
  }, [id, isDraft, locale]);
}
