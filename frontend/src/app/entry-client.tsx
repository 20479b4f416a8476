import '~/styles/tokens.css';
import '~/styles/base.css';
import './fonts.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { PREFETCH_IDLE } from '~/lib/constants';
import type { PagePayload } from '~/lib/page/payload';
import { documentLoader, type Shown } from './data/loader';
import { loadPage, loadWholePage, pageIdOf } from './load';
import { takeOverLinks } from './navigation/links';
import { everyRoute, routesFor } from './routes';

async function start() {
  const root = document.getElementById('root');
  const data = document.getElementById('sahm-page');
  if (!root || !data?.textContent) return;
  const payload = JSON.parse(data.textContent) as PagePayload;
  const { locale } = payload.visitor;
  if (payload.production)
    import('./late/errors').then(
      (late) => late.reportErrors(payload),
      () => {},
    );
  await (payload.shell ? loadWholePage : loadPage)(pageIdOf(payload.page), locale);

  const shown: Shown = { payload };
  const router = createBrowserRouter(routesFor(locale, documentLoader(shown)), {
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
    if (payload.shell) createRoot(root).render(app);
    else hydrateRoot(root, app);
  });
  takeOverLinks(router, shown);
  // The page for a lost network cannot be fetched when it is needed.
  whenIdle(() => loadPage('error', locale).catch(() => {}));
}

function whenIdle(work: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: PREFETCH_IDLE });
  else setTimeout(work, PREFETCH_IDLE);
}

/** Fails where the page's code cannot be loaded: what loaded this one sees to it. */
export const started = start();
