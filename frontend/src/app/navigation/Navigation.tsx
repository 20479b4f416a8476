import { useEffect, useLayoutEffect, useRef } from 'react';
import { ScrollRestoration, useNavigation } from 'react-router';
import { useMessages } from '~/lib/messages/messages';
import type { PagePayload } from '~/lib/page/payload';

/** Code that only navigations need, so that no first load carries it. */
const loadArrival = () => import('./fetch-ahead');

/** Below this a navigation shows no sign of waiting. */
const WAITING_AFTER = 400;

/** What a client navigation does beside showing the page; nothing on the first one. */
export function Navigation({ payload }: { payload: PagePayload }) {
  const shown = useRef(payload);
  useEffect(() => {
    // For those who wait until the page answers: tests, tools.
    document.documentElement.dataset.hydrated = '';
    if (shown.current === payload) return;
    shown.current = payload;
    loadArrival().then(({ arriveAt }) => {
      if (shown.current === payload) arriveAt(payload);
    });
  }, [payload]);
  useWaiting();
  return (
    <>
      <ScrollAtOnce payload={payload} />
      <ScrollRestoration />
    </>
  );
}

/**
 * Keeps the restored place from being scrolled to slowly where the style sheet scrolls smoothly.
 * Stands before the restoration, whose layout effect runs after this one's.
 */
function ScrollAtOnce({ payload }: { payload: PagePayload }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once a page.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    style.scrollBehavior = 'auto';
    const frame = requestAnimationFrame(() => style.removeProperty('scroll-behavior'));
    return () => cancelAnimationFrame(frame);
  }, [payload]);
  return null;
}

/** Marks `<html data-waiting>` while a navigation takes long (styles/base.css), and says so. */
function useWaiting() {
  const t = useMessages('chrome');
  const waiting = useNavigation().state !== 'idle';
  useEffect(() => {
    if (!waiting) return;
    const { dataset } = document.documentElement;
    const timer = setTimeout(() => {
      dataset.waiting = '';
      loadArrival().then(({ announce }) => announce(document, t('loading')));
    }, WAITING_AFTER);
    return () => {
      clearTimeout(timer);
      delete dataset.waiting;
    };
  }, [waiting, t]);
}
