import { type ComponentType, useEffect, useLayoutEffect, useState } from 'react';
import { importOrReload } from '~/lib/import-or-reload';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { PageProvider } from '~/lib/page/page';
import type { PagePayload } from '~/lib/page/payload';
import { BareError } from './BareError';
import { ClientEffects } from './effects/ClientEffects';
import { Layout } from './layouts/Layout';
import { loadErrorPage } from './load';
import type { RouterHost, RouterProps, ShownPage } from './navigation/RouterHost';
import { componentOf, pageIdOf } from './pages';

/**
 * Renders the page of a payload in its layout. The first load works without the router's code; the
 * router joins through `host` at the first navigation and replaces the page from then on.
 */
export function App({ payload, host }: { payload: PagePayload; host?: RouterHost }) {
  const [shown, show] = useState<ShownPage>({ payload });
  const [Router, setRouter] = useState<ComponentType<RouterProps>>();
  useEffect(() => host?.onLoad((component) => setRouter(() => component)), [host]);
  useEffect(() => {
    // Marks the page as interactive, for tests and tools.
    document.documentElement.dataset.hydrated = '';
  }, []);
  useLayoutEffect(() => shown.onShown?.(), [shown]);
  return (
    <PageProvider payload={shown.payload}>
      <ErrorBoundary fallback={<FailedPage payload={shown.payload} />}>
        {shown.hasFailed ? (
          <FailedPage payload={shown.payload} />
        ) : (
          <PageView payload={shown.payload} />
        )}
      </ErrorBoundary>
      <ErrorBoundary>
        <ClientEffects />
      </ErrorBoundary>
      {Router && host && (
        <ErrorBoundary>
          <Router shown={shown.payload} show={show} host={host} />
        </ErrorBoundary>
      )}
    </PageProvider>
  );
}

function PageView({ payload }: { payload: PagePayload }) {
  const Page = componentOf(pageIdOf(payload.page));
  return (
    <Layout>
      <ErrorBoundary fallback={<FailedContent payload={payload} />}>
        <Page document={payload.document} />
      </ErrorBoundary>
    </Layout>
  );
}

/** Shown instead of page content that fails to render: the error page, in the same layout. */
function FailedContent({ payload }: { payload: PagePayload }) {
  const instead = useErrorPage(payload);
  useEffect(() => {
    if (typeof instead !== 'object') return;
    importOrReload(() => import('./navigation/head')).then((code) =>
      code?.syncHead(document, instead),
    );
  }, [instead]);
  if (typeof instead !== 'object') return instead && <BareError locale={payload.visitor.locale} />;
  const Page = componentOf(pageIdOf('error'));
  return (
    <PageProvider payload={instead}>
      <Page document={instead.document} />
    </PageProvider>
  );
}

/**
 * Shown until the next navigation if a page cannot be loaded or its layout fails to render: the
 * error page, or plain text if its code cannot be loaded either.
 */
function FailedPage({ payload }: { payload: PagePayload }) {
  const instead = useErrorPage(payload);
  const text = (
    <main id="main">
      <BareError locale={payload.visitor.locale} />
    </main>
  );
  if (typeof instead !== 'object') return instead && text;
  return (
    <PageProvider payload={instead}>
      <ErrorBoundary fallback={text}>
        <PageView payload={instead} />
      </ErrorBoundary>
    </PageProvider>
  );
}

/** Loads the code of the error page and returns its payload; `text` if that fails. */
function useErrorPage(failed: PagePayload): PagePayload | 'text' | undefined {
  const [instead, setInstead] = useState<PagePayload | 'text'>();
  useEffect(() => {
    importOrReload(
      async () => {
        const errorPayload = await loadErrorPage(failed.visitor.locale);
        setInstead(errorPayload(failed, 500));
      },
      () => setInstead('text'),
    );
  }, [failed]);
  return instead;
}
