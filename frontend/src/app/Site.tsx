import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { useMatches } from 'react-router';
import { PageProvider, usePage } from '~/lib/page/page';
import type { PagePayload } from '~/lib/page/payload';
import { errorPayload } from './data/error';
import { Layout } from './layouts/Layout';
import { loadPage, pageIdOf } from './load';
import { Navigation } from './navigation/Navigation';
import { componentOf } from './pages';

/** The one rendering route: the page of the innermost match in its layout. */
export function Site() {
  const payload = useMatches().at(-1)?.loaderData as PagePayload;
  return (
    <Failing payload={payload}>
      <PageView payload={payload} />
    </Failing>
  );
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

// A part that cannot be loaded is missed by no page.
const Late = lazy<ComponentType>(() =>
  import('./late/Late').catch(() => ({ default: () => null })),
);

function AfterHydration() {
  const { hydrated } = usePage();
  return (
    hydrated && (
      <Suspense>
        <Late />
      </Suspense>
    )
  );
}

interface FailingProps {
  payload: PagePayload;
  children: ReactNode;
}

interface FailingState {
  payload: PagePayload;
  /** The page threw; `shown` once the error page's code is there. */
  failed: boolean;
  shown: boolean;
}

/** Shows the error page in place of one that cannot be rendered, until the next navigation. */
class Failing extends Component<FailingProps, FailingState> {
  override state: FailingState = { payload: this.props.payload, failed: false, shown: false };

  static getDerivedStateFromProps({ payload }: FailingProps, state: FailingState) {
    return payload === state.payload ? null : { payload, failed: false, shown: false };
  }

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch() {
    loadPage('error', this.props.payload.visitor.locale).then(() => this.setState({ shown: true }));
  }

  override render() {
    const { failed, shown } = this.state;
    if (!failed) return this.props.children;
    return shown ? <PageView payload={errorPayload(this.props.payload, 500)} /> : null;
  }
}
