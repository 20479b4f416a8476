import { useEffect } from 'react';
import { call } from '~/lib/api';
import { usePage } from '~/lib/page/page';
import { markRead } from './lessons';

/** Counts one reading of an article, silently, and remembers it in this browser. */
export function useLessonRead(articleId: string): void {
  const { locale } = usePage();
  useEffect(() => {
    if (!articleId) return;
    markRead(articleId);
    call('/college/log/add', { articleId }, { locale, keepalive: true }).catch(() => {});
  }, [articleId, locale]);
}
