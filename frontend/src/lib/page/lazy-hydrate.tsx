import {
  type ComponentType,
  lazy,
  Suspense,
  startTransition,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { importOrReload } from '~/lib/import-or-reload';
import type { Locale } from '~/lib/locale';
import type { Namespace } from '~/lib/messages/messages';
import { loadMessages } from '~/lib/messages/messages';
import { onFirstVisible } from '~/lib/viewport';
import { ErrorBoundary } from './ErrorBoundary';
import { useHydrated } from './hydrated';
import { PageContext, usePage } from './page';

const parts: ((locale: Locale) => Promise<unknown>)[] = [];

/**
 * When a part in the server's HTML is hydrated: with the page, when it first comes into view, or
 * never. `never` is for parts without state and handlers; their links still navigate in the
 * browser, because the document handles clicks.
 */
type HydrateOn = 'load' | 'visible' | 'never';

/** Stands for the server's HTML, which React neither compares nor replaces. */
const SERVER_HTML = (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the empty text is never set
  <div className="contents" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
);

/**
 * A part of a page whose code and messages load after the page. The server renders it with the
 * rest; in the browser its HTML stays until the code is loaded, then it is hydrated. A part that
 * the browser renders itself loads immediately. Code that fails to load reloads the page once. A
 * part that throws while rendering is removed from the page.
 */
export function lazyHydrate<P extends object>(
  namespaces: readonly Namespace[],
  load: () => Promise<ComponentType<P>>,
  { hydrateOn = 'load' }: { hydrateOn?: HydrateOn } = {},
): ComponentType<P> {
  const { promise, resolve } = Promise.withResolvers<ComponentType<P>>();
  let loaded: ComponentType<P> | undefined;
  const loadPart = async (locale: Locale) => {
    const [component] = await Promise.all([
      load(),
      ...namespaces.map((namespace) => loadMessages(locale, namespace)),
    ]);
    loaded = component;
    resolve(component);
    return component;
  };
  parts.push(loadPart);
  const Part = lazy(() => moduleOf(loaded, promise));

  // biome-ignore lint/correctness/noComponentHookFactories: one is made per part, at module level
  return function LazyPart(props: P) {
    const page = usePage();
    const [first] = useState(page);
    const [ready, setReady] = useState(loaded !== undefined);
    const isHydrated = useHydrated();
    const [trigger] = useState(isHydrated ? 'load' : hydrateOn);
    const root = useRef<HTMLDivElement>(null);
    useEffect(() => {
      if (ready || trigger === 'never') return;
      let isUnmounted = false;
      const hydrate = () =>
        importOrReload(() => loadPart(first.locale))
          // React waits for the same promise and must settle first.
          .then((part) => part && promise)
          .then((part) =>
            startTransition(() => (isUnmounted || !part ? undefined : setReady(true))),
          );
      const stopWaiting = trigger === 'visible' ? onFirstVisible(root.current, hydrate) : undefined;
      if (!stopWaiting) hydrate();
      return () => {
        isUnmounted = true;
        stopWaiting?.();
      };
    }, [ready, trigger, first]);
    // HTML that awaits hydration must not get new props: React would discard it.
    const shown = ready ? props : undefined;
    // biome-ignore lint/correctness/useExhaustiveDependencies: until ready, the first props apply
    const part = useMemo(
      () => (
        <Suspense>
          <Part {...props} />
        </Suspense>
      ),
      [shown],
    );
    const places = {
      load: part,
      visible: <div ref={root}>{part}</div>,
      never: trigger === 'never' && !ready ? SERVER_HTML : <div className="contents">{part}</div>,
    };
    return (
      <ErrorBoundary>
        <PageContext value={ready ? page : first}>{places[hydrateOn]}</PageContext>
      </ErrorBoundary>
    );
  };
}

/** Loads every lazily hydrated part known so far, so that rendering is synchronous. */
export async function loadLazyParts(locale: Locale): Promise<void> {
  await Promise.all(parts.map((load) => load(locale)));
}

// Returns loaded code synchronously, so that a render on the server does not wait.
function moduleOf<T>(loaded: T | undefined, promise: Promise<T>): Promise<{ default: T }> {
  if (!loaded) return promise.then((component) => ({ default: component }));
  // biome-ignore lint/suspicious/noThenProperty: React calls it synchronously, unlike a promise's
  const atOnce = { then: (take: (module: { default: T }) => void) => take({ default: loaded }) };
  return atOnce as unknown as Promise<{ default: T }>;
}
