import { type MouseEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { apiErrorOf } from '~/lib/api';
import { hrefIn } from '~/lib/links/paths';
import { useHydrated } from '~/lib/page/hydrated';
import { usePage } from '~/lib/page/page';
import { append, type CursorPage, fetchPage, moreHref } from './cursor-page';

/** `unreachable`: there was no response. `failed`: the server failed. */
export type LoadState = 'idle' | 'loading' | 'unreachable' | 'failed';

/**
 * A list with a link to more items: without scripts it opens the next page; with scripts the items
 * are appended and focus moves to the first new one. History entries keep the length of the list.
 * `D` is the page's document, from which `pageOf` takes the list.
 */
export function useLoadMore<T extends { id?: string }, D>(
  first: CursorPage<T>,
  pageOf: (document: D) => CursorPage<T>,
) {
  const { locale, url, frame } = usePage();
  const isHydrated = useHydrated();
  const [list, setList] = useState(() => ({
    ...first,
    ...(isHydrated && restoreList(url, first)),
    firstNew: '',
  }));
  const [state, setState] = useState<LoadState>('idle');
  const firstNew = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (list.firstNew) firstNew.current?.focus();
  }, [list.firstNew]);

  const added = list.items.length - first.items.length;
  const restoredScroll = useRef<number>(undefined);
  // The first render matches the server's; the list grows right after it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the first render
  useLayoutEffect(() => {
    const restored = isHydrated ? undefined : restoreList(url, first);
    if (!restored) return;
    restoredScroll.current = restored.scrollY;
    setList({ ...restored, firstNew: '' });
  }, []);
  useLayoutEffect(() => {
    if (restoredScroll.current === undefined || added === 0) return;
    window.scrollTo(0, restoredScroll.current);
    restoredScroll.current = undefined;
  }, [added]);
  useEffect(() => {
    if (added === 0) return;
    const remember = () => rememberList(url, list);
    remember();
    window.addEventListener('pagehide', remember);
    return () => window.removeEventListener('pagehide', remember);
  }, [url, list, added]);

  const href = hrefIn(locale, moreHref(url, list.nextCursor));
  async function onMore(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    if (state === 'loading') return;
    setState('loading');
    try {
      const more = pageOf(await fetchPage<D>(href, frame));
      setList((before) => ({
        items: append(before.items, more.items),
        nextCursor: more.nextCursor,
        firstNew: more.items[0]?.id ?? '',
      }));
      setState('idle');
    } catch (error) {
      setState(apiErrorOf(error).code === 0 ? 'unreachable' : 'failed');
    }
  }
  return {
    items: list.items,
    /** For the link of an item: it receives focus after loading more. */
    linkRef: (item: T) => (item.id === list.firstNew ? firstNew : undefined),
    link: {
      href: list.nextCursor ? href : '',
      state,
      onMore,
      added,
    },
  };
}

/** A grown list as stored in its history entry. */
interface Grown<T> extends CursorPage<T> {
  url: string;
  scrollY: number;
}

/** Stores the list in the current history entry, for `restoreList`. */
function rememberList<T>(url: string, { items, nextCursor }: CursorPage<T>): void {
  const more: Grown<T> = { url, items, nextCursor, scrollY: window.scrollY };
  try {
    window.history.replaceState({ ...window.history.state, more }, '');
  } catch {
    // Browsers limit the size of an entry: then the list is short again.
  }
}

/** Appends the restored items of the current history entry to the page's current items. */
function restoreList<T extends { id?: string }>(
  url: string,
  first: CursorPage<T>,
): Grown<T> | undefined {
  const { more } = (window.history.state ?? {}) as { more?: Grown<T> };
  if (more?.url !== url) return undefined;
  return { ...more, items: append(first.items, more.items) };
}
