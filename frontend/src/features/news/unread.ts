import { useEffect, useState } from 'react';
import { listUnread } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { usePage } from '~/lib/page/page';
import { readStored, writeStored } from '~/lib/storage';

const LAST_VISIT_KEY = 'sahm_news_visit';

type Counts = ReadonlyMap<string, number>;

const NO_COUNTS: Counts = new Map();

/** One visit per document: its counts and the tabs shown. */
let visit: Promise<Counts> | undefined;
const shownTabs = new Set<string>();

/**
 * Counts of new articles for each tab since the last visit, requested once for each visit; silent
 * on failure, empty on the first visit. A tab that was shown has no unread articles.
 */
export function useUnread(shown: string): Counts {
  const { locale } = usePage();
  const [counts, setCounts] = useState(NO_COUNTS);
  useEffect(() => {
    let isUnmounted = false;
    shownTabs.add(shown);
    visit ??= askOnce(locale);
    visit.then(
      (all) => {
        if (!isUnmounted) setCounts(new Map([...all].filter(([id]) => !shownTabs.has(id))));
      },
      () => {},
    );
    return () => {
      isUnmounted = true;
    };
  }, [shown, locale]);
  return counts;
}

async function askOnce(locale: Locale): Promise<Counts> {
  const now = Math.floor(Date.now() / 1000);
  const last = visitIn(readStored(LAST_VISIT_KEY), now);
  writeStored(LAST_VISIT_KEY, { at: now });
  if (!last) return NO_COUNTS;
  const { items = [] } = await post(listUnread, { since: last }, { locale });
  const counted = items.map(({ id = '', count = 0 }) => [String(id), count] as const);
  return new Map(counted.filter(([, count]) => count > 0));
}

/**
 * When a visitor last saw the news (epoch seconds), from the stored visit; undefined for anything
 * else and for times in the future.
 */
export function visitIn(stored: unknown, now: number): number | undefined {
  const { at } = (stored ?? {}) as { at?: unknown };
  return typeof at === 'number' && Number.isInteger(at) && at > 0 && at <= now ? at : undefined;
}

/** A count as a badge text. */
export function badgeText(count: number): string {
  return count > 99 ? '99+' : String(count);
}
