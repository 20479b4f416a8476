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
 * A part of a page whose code and texts come after the page's own: it is read without them. The
 * server writes it with the rest. In the browser that HTML stands as it is until the code is there;
 * then it is hydrated. `hydrateOn: 'interaction'` is for parts below the first screen, which nobody
 * sees or uses before a scroll, a pointer or a key. Code that cannot be loaded reloads the page once.
 * A part that throws while it renders is left out of the page.
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
          // React waits for the same promise and has to settle first.
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
    // Nothing may change for HTML that waits: React would throw it away.
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

/** A window of more CSS px than this shows more than the first screen. */
const FIRST_SCREEN_MAX_HEIGHT = 1000;

/**
 * Calls back with the first interaction; a page that is restored scrolled has had it, and a tall
 * window needs none.
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

/** Loads every late part that is known so far: nothing that is rendered then waits. */
export async function loadLazyParts(locale: Locale): Promise<void> {
  await Promise.all(parts.map((load) => load(locale)));
}

// What is there already is given at once, so that a render on the server does not wait.
function moduleOf<T>(loaded: T | undefined, promise: Promise<T>): Promise<{ default: T }> {
  if (!loaded) return promise.then((component) => ({ default: component }));
  // biome-ignore lint/suspicious/noThenProperty: React calls it at once, a promise only later
  const atOnce = { then: (take: (module: { default: T }) => void) => take({ default: loaded }) };
  return atOnce as unknown as Promise<{ default: T }>;
}
