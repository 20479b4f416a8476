import { type ComponentType, useEffect, useState } from 'react';
import { useMatches } from 'react-router';
import { codeOf } from '~/lib/chunks';
import type { Locale } from '~/lib/locale';
import { PageProvider, usePage } from '~/lib/page/page';
import type { PagePayload } from '~/lib/page/payload';
import { BareError } from './BareError';
import { errorPayload } from './data/error';
import { Layout } from './layouts/Layout';
import { loadPage, pageIdOf } from './load';
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
        <Page document={payload.document} />
      </Layout>
      <AfterHydration />
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

/**
 * In place of a page that cannot be rendered, until the next navigation: the error page, or a text
 * where its code cannot be loaded either.
 */
export function Failed({ locale }: { locale: Locale }) {
  const payload = useMatches().at(-1)?.loaderData as PagePayload | undefined;
  const [instead, setInstead] = useState<'page' | 'text'>();
  useEffect(() => {
    codeOf(
      () => loadPage('error', locale).then(() => setInstead('page')),
      () => setInstead('text'),
    );
  }, [locale]);
  if (instead === 'page' && payload) return <PageView payload={errorPayload(payload, 500)} />;
  return instead && <BareError locale={locale} />;
}
