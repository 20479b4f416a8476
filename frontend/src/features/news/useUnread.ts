import { useEffect, useState } from 'react';
import { listUnread } from '~/gen/operations';
import { post } from '~/lib/api';
import type { Locale } from '~/lib/locale';
import { usePage } from '~/lib/page/page';
import { readStored, writeStored } from '~/lib/storage';
import { visitIn } from './unread';

const KEY = 'sahm_news_visit';

type Counts = ReadonlyMap<string, number>;

const NONE: Counts = new Map();

/** One visit per document: its counts and the tabs shown. */
let visit: Promise<Counts> | undefined;
const shownTabs = new Set<string>();

/**
 * Counts of new articles for each tab since the last visit, requested once for each visit; silent
 * on failure, empty on the first visit. A tab that was shown has no unread articles.
 */
export function useUnread(shown: string): Counts {
  const { locale } = usePage();
  const [counts, setCounts] = useState(NONE);
  useEffect(() => {
    let left = false;
    shownTabs.add(shown);
    visit ??= askOnce(locale);
    visit.then(
      (all) => {
        if (!left) setCounts(new Map([...all].filter(([id]) => !shownTabs.has(id))));
      },
      () => {},
    );
    return () => {
      left = true;
    };
  }, [shown, locale]);
  return counts;
}

async function askOnce(locale: Locale): Promise<Counts> {
  const now = Math.floor(Date.now() / 1000);
  const last = visitIn(readStored(KEY), now);
  writeStored(KEY, { at: now });
  if (!last) return NONE;
  const { items = [] } = await post(listUnread, { since: last.at }, { locale });
  const counted = items.map(({ id = '', count = 0 }) => [String(id), count] as const);
  return new Map(counted.filter(([, count]) => count > 0));
}
