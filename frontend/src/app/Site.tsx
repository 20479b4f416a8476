import { type ComponentType, useEffect, useState } from 'react';
import { useMatches } from 'react-router';
import { codeOf } from '~/lib/chunks';
import type { Locale } from '~/lib/locale';
import { ErrorBoundary } from '~/lib/page/ErrorBoundary';
import { PageProvider, usePage } from '~/lib/page/page';
import type { PagePayload } from '~/lib/page/payload';
import { BareError } from './BareError';
import { Layout } from './layouts/Layout';
import { loadErrorPage, pageIdOf } from './load';
import { Navigation } from './navigation/Navigation';
import { componentOf } from './pages';

/** The one rendering route: the page of the innermost match in its layout. */
export function Site() {
  const payload = useMatches().at(-1)?.loaderData as PagePayload;
  return <PageView payload={payload} />;
}

function PageView({ payload }: { payload: PagePayload }) {
  const Page = componentOf(pageIdOf(payload.page));
  return (
    <PageProvider payload={payload}>
      <Navigation payload={payload} />
      <Layout>
        <ErrorBoundary fallback={<FailedContent payload={payload} />}>
          <Page document={payload.document} />
        </ErrorBoundary>
      </Layout>
      <ErrorBoundary>
        <AfterHydration />
      </ErrorBoundary>
    </PageProvider>
  );
}

/** What no page waits for. Where it cannot be loaded, the next page tries again. */
function AfterHydration() {
  const { url } = usePage();
  const [Late, setLate] = useState<ComponentType>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `url` is another with every page
  useEffect(() => {
    if (Late) return;
    codeOf(() => import('./late/Late')).then((late) => late && setLate(() => late.default));
  }, [Late, url]);
  return Late && <Late />;
}

/** In place of a page's content that cannot be rendered: the error page, in the same layout. */
function FailedContent({ payload }: { payload: PagePayload }) {
  const instead = useErrorPage(payload.visitor.locale, payload);
  useEffect(() => {
    if (typeof instead !== 'object') return;
    codeOf(() => import('./navigation/fetch-ahead')).then((code) =>
      code?.syncHead(document, instead),
    );
  }, [instead]);
  if (typeof instead !== 'object') return instead && <BareError locale={payload.visitor.locale} />;
  const Page = componentOf('error');
  return (
    <PageProvider payload={instead}>
      <Page document={instead.document} />
    </PageProvider>
  );
}

/**
 * In place of a page that could not be loaded, or whose layout cannot be rendered, until the next
 * navigation: the error page, or a text where its code cannot be loaded either.
 */
export function Failed({ locale }: { locale: Locale }) {
  const payload = useMatches().at(-1)?.loaderData as PagePayload | undefined;
  const instead = useErrorPage(locale, payload);
  const text = (
    <main id="main">
      <BareError locale={locale} />
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

/** The payload of the error page once its code is loaded; `text` where it cannot be shown. */
function useErrorPage(
  locale: Locale,
  failed: PagePayload | undefined,
): PagePayload | 'text' | undefined {
  const [instead, setInstead] = useState<PagePayload | 'text'>();
  useEffect(() => {
    codeOf(
      async () => {
        const errorPayload = await loadErrorPage(locale);
        setInstead(failed ? errorPayload(failed, 500) : 'text');
      },
      () => setInstead('text'),
    );
  }, [locale, failed]);
  return instead;
}
