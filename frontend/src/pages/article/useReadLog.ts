import { useEffect } from 'react';
import { fetchWithin } from '~/lib/deadline';

/** Counts one reading of an article, silently: a reader misses nothing when it fails. */
export function useReadLog(id: string | undefined): void {
  useEffect(() => {
    if (!id) return;
    fetchWithin(
      '/api/news/content/log/add',
      {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ id }),
        keepalive: true,
      },
      async () => {},
    ).catch(() => {});
  }, [id]);
}
