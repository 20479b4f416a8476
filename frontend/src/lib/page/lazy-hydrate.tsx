import {
  type ComponentType,
  lazy,
  Suspense,
  startTransition,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { importOrReload } from '~/lib/import-or-reload';
import type { Locale } from '~/lib/locale';
import type { Namespace } from '~/lib/messages/messages';
import { loadMessages } from '~/lib/messages/messages';
import { ErrorBoundary } from './ErrorBoundary';
import { PageContext, usePage } from './page';

const parts: ((locale: Locale) => Promise<unknown>)[] = [];

/**
 * A part of a page whose code and messages load after the page. The server renders it with the
 * rest; in the browser its HTML stays until the code is loaded, then it is hydrated. `hydrateOn:
 * 'interaction'` is for parts below the first screen, which are not visible before a scroll,
 * pointer or key event. Code that fails to load reloads the page once. A part that throws while
 * rendering is removed from the page.
 */
export function lazyHydrate<P extends object>(
  namespaces: readonly Namespace[],
  load: () => Promise<ComponentType<P>>,
  { hydrateOn = 'load' }: { hydrateOn?: 'load' | 'interaction' } = {},
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
    useEffect(() => {
      if (ready) return;
      let isUnmounted = false;
      const hydrate = () =>
        importOrReload(() => loadPart(first.locale))
          // React waits for the same promise and must settle first.
          .then((part) => part && promise)
          .then((part) =>
            startTransition(() => (isUnmounted || !part ? undefined : setReady(true))),
          );
      const stopWaiting = hydrateOn === 'interaction' ? onceInteracted(hydrate) : undefined;
      if (!stopWaiting) hydrate();
      return () => {
        isUnmounted = true;
        stopWaiting?.();
      };
    }, [ready, first]);
    // HTML that awaits hydration must not get new props: React would discard it.
    const shown = ready ? props : undefined;
    // biome-ignore lint/correctness/useExhaustiveDependencies: until it is ready, props stay the first
    const part = useMemo(
      () => (
        <Suspense>
          <Part {...props} />
        </Suspense>
      ),
      [shown],
    );
    return (
      <ErrorBoundary>
        <PageContext value={ready ? page : first}>{part}</PageContext>
      </ErrorBoundary>
    );
  };
}

const INTERACTIONS = ['scroll', 'pointermove', 'pointerdown', 'keydown', 'focusin'] as const;

/** A window taller than this, in CSS px, shows more than the first screen. */
const FIRST_SCREEN_MAX_HEIGHT = 1000;

/**
 * Calls back at the first interaction. A page restored at a scroll position and a tall window count
 * as interacted.
 */
function onceInteracted(callback: () => void): (() => void) | undefined {
  if (window.scrollY > 0 || window.innerHeight > FIRST_SCREEN_MAX_HEIGHT) return undefined;
  const once = new AbortController();
  const { signal } = once;
  for (const type of INTERACTIONS) {
    document.addEventListener(
      type,
      () => {
        once.abort();
        callback();
      },
      { passive: true, signal },
    );
  }
  return () => once.abort();
}

/** Loads every lazily hydrated part known so far, so that rendering is synchronous. */
export async function loadLazyParts(locale: Locale): Promise<void> {
  await Promise.all(parts.map((load) => load(locale)));
}

// Returns loaded code synchronously, so that a render on the server does not wait.
function moduleOf<T>(loaded: T | undefined, promise: Promise<T>): Promise<{ default: T }> {
  if (!loaded) return promise.then((component) => ({ default: component }));
  // biome-ignore lint/suspicious/noThenProperty: React calls it at once, a promise only later
  const atOnce = { then: (take: (module: { default: T }) => void) => take({ default: loaded }) };
  return atOnce as unknown as Promise<{ default: T }>;
}
