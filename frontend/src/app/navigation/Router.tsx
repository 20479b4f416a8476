import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  createBrowserRouter,
  type Location,
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
  useNavigationType,
} from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { useMessages } from '~/lib/messages/messages';
import { frameOf, type PagePayload } from '~/lib/page/payload';
import { isClientLink } from './client-links';
import { announce, focusPage } from './focus';
import { syncHead } from './head';
import { isHere, isPlainClick, linkOf } from './links';
import { pageLoader } from './page-loader';
import type { RouterProps } from './RouterHost';
import { restoreScroll, saveScroll, takeOverScrolling } from './scroll';

/** A navigation that takes longer shows an indicator. */
const PENDING_INDICATOR_DELAY_MS = 400;

const PAGE_ROUTE = 'page';

const RouterContext = createContext<RouterProps | null>(null);

/**
 * react-router with one route for all pages: the server's response says which page an address is.
 * The route renders nothing itself, because the page was on screen before the router.
 */
export function Router(props: RouterProps) {
  const current = useRef({ payload: props.shown });
  useLayoutEffect(() => {
    current.current.payload = props.shown;
  }, [props.shown]);
  const [router] = useState(() =>
    createBrowserRouter(
      [
        {
          id: PAGE_ROUTE,
          path: '*',
          loader: pageLoader(current.current),
          Component: RoutedPage,
          ErrorBoundary: RouteError,
        },
      ],
      { hydrationData: { loaderData: { [PAGE_ROUTE]: props.shown } } },
    ),
  );
  useEffect(() => takeOverScrolling(window), []);
  return (
    <RouterContext value={props}>
      <RouterProvider router={router} />
    </RouterContext>
  );
}

function useRouterProps(): RouterProps {
  const props = useContext(RouterContext);
  if (!props) throw new Error('a route outside Router');
  return props;
}

/** Shows what the loader returned, and follows links. */
function RoutedPage() {
  const payload = useLoaderData<PagePayload>();
  const { show, host, shown } = useRouterProps();
  const location = useLocation();
  const type = useNavigationType();
  const navigate = useNavigate();
  const last = useRef({ payload, key: location.key, hasFollowedHash: false });

  useLayoutEffect(() => {
    const before = last.current;
    // The browser's own entries, of in-page links, have no state: react-router gives all of them the
    // key of the first entry.
    const isOfBrowser = window.history.state === null;
    const key = isOfBrowser ? location.pathname + location.search + location.hash : location.key;
    if (before.key === key && before.payload === payload) return;
    last.current = { payload, key, hasFollowedHash: false };
    // The browser scrolls to the target itself; the position before was saved at the click.
    if (isOfBrowser && before.payload === payload && before.hasFollowedHash) return;
    saveScroll(before.key);
    const scroll = () => restoreScroll(key, type === 'POP', location.hash);
    if (before.payload === payload) scroll();
    else show({ payload, onShown: () => arriveAt(payload, location, scroll) });
  }, [payload, location, type, show]);

  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const link = linkOf(event);
      if (!link?.hash || !isHere(link) || !isPlainClick(event)) return;
      saveScroll(last.current.key);
      last.current.hasFollowedHash = link.hash !== window.location.hash;
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, []);

  const { visitor } = shown;
  useEffect(() => {
    host.setFollow((link) => {
      if (!isClientLink(link, window.location.origin, visitor)) {
        window.location.assign(link.href);
        return;
      }
      const isReplacing = link.href === window.location.href;
      navigate(link.pathname + link.search + link.hash, { replace: isReplacing });
    });
  }, [host, navigate, visitor]);

  usePendingIndicator();
  return null;
}

/** Updates head, scroll position, focus and screen readers after a navigation. */
function arriveAt(payload: PagePayload, { hash }: Location, scroll: () => void): void {
  syncHead(document, payload);
  scroll();
  focusPage(document, hash);
  announce(document, frameOf(payload).head?.title ?? '');
  window.dispatchEvent(new Event('sahm:navigated'));
}

/** The loader turns failures into pages; this is shown if even the error page cannot be loaded. */
function RouteError() {
  const { show, shown } = useRouterProps();
  useEffect(() => show({ payload: { ...shown }, hasFailed: true }), [show, shown]);
  return null;
}

/** Sets `<html data-waiting>` while a navigation takes long (styles/base.css), and announces it. */
function usePendingIndicator() {
  const t = useMessages('common');
  const isPending = useNavigation().state !== 'idle';
  useEffect(() => {
    if (!isPending) return;
    const { dataset } = document.documentElement;
    const timer = setTimeout(() => {
      dataset.waiting = '';
      announce(document, t('loading'));
    }, PENDING_INDICATOR_DELAY_MS);
    return () => {
      clearTimeout(timer);
      delete dataset.waiting;
    };
  }, [isPending, t]);
}
