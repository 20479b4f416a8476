import '~/styles/tokens.css';
import '~/styles/base.css';
import './fonts.css';
import { StrictMode, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { PagePayload } from '~/lib/page/payload';
import { App } from './App';
import { errorReporter } from './effects/error-reporter';
import { loadPage, loadWholePage } from './load';
import { prefetchLinks } from './navigation/prefetch-links';
import { RouterHost } from './navigation/RouterHost';
import { pageIdOf } from './pages';
import { recoverFromLoadError } from './recover';

/** Errors caught by a boundary are dispatched as `error` events too, like uncaught errors. */
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

  const host = new RouterHost(() => import('./navigation/Router'));
  const app = (
    <StrictMode>
      <App payload={payload} host={host} />
    </StrictMode>
  );
  startTransition(() => {
    if (payload.shell) createRoot(root, ROOT_OPTIONS).render(app);
    else hydrateRoot(root, app, ROOT_OPTIONS);
  });
  host.interceptLinks(payload);
  prefetchLinks(payload, host);
}

/** Reports uncaught errors to the server. */
function reportErrors(payload: PagePayload) {
  const report = errorReporter(payload);
  window.addEventListener('error', ({ error, message }) => report(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => report(reason));
}

start();
