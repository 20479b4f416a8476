import '~/styles/tokens.css';
import '~/styles/base.css';
import './fonts.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter, type LoaderFunction, redirectDocument } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { PREFETCH_IDLE } from '~/lib/constants';
import type { PagePayload } from '~/lib/page/payload';
import type { Shown } from './data/loader';
import { loadErrorPage, loadPage, loadWholePage, pageIdOf } from './load';
import { takeOverLinks } from './navigation/links';
import { recoverFromLoadError } from './recover';
import { everyRoute, routesFor } from './routes';

/** Errors that a boundary catches become `error` events too, as React makes of all others. */
const ROOT_OPTIONS = { onCaughtError: (error: unknown) => window.reportError(error) };

async function start() {
  const root = document.getElementById('root');
  const data = document.getElementById('sahm-page');
  if (!root || !data?.textContent) return;
  const payload = JSON.parse(data.textContent) as PagePayload;
  const { locale } = payload.visitor;
  if (payload.production) reportErrors(payload);
  try {
    await (payload.shell ? loadWholePage : loadPage)(pageIdOf(payload.page), locale);
  } catch (error) {
    if (!recoverFromLoadError()) throw error;
    return;
  }

  const shown: Shown = { payload };
  const router = createBrowserRouter(routesFor(locale, lazyLoader(shown)), {
    // The document that the server sent belongs to whatever the address bar matches.
    hydrationData: { loaderData: everyRoute(payload) },
  });
  router.subscribe(({ matches, loaderData, navigation }) => {
    const current = loaderData[matches.at(-1)?.route.id ?? ''] as PagePayload | undefined;
    if (navigation.state === 'idle' && current) shown.payload = current;
  });

  const app = (
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>
  );
  startTransition(() => {
    if (payload.shell) createRoot(root, ROOT_OPTIONS).render(app);
    else hydrateRoot(root, app, ROOT_OPTIONS);
  });
  takeOverLinks(router, shown);
  // The page for a lost network cannot be fetched when it is needed.
  whenIdle(() => loadErrorPage(locale).catch(() => {}));
}

/** Loads pages by code that a first load does not need; without that code, as documents. */
function lazyLoader(shown: Shown): LoaderFunction {
  return async (args) => {
    const code = await import('./navigation/fetch-ahead').catch(() => undefined);
    return code ? code.documentLoader(shown)(args) : redirectDocument(args.request.url);
  };
}

/** Reports errors to the server; those that are thrown before its code is loaded wait for it. */
function reportErrors(payload: PagePayload) {
  const reporter = import('./late/errors').then((late) => late.errorReporter(payload));
  const report = (error: unknown) =>
    reporter.then(
      (send) => send(error),
      () => {},
    );
  window.addEventListener('error', ({ error, message }) => report(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => report(reason));
}

function whenIdle(work: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: PREFETCH_IDLE });
  else setTimeout(work, PREFETCH_IDLE);
}

start();
