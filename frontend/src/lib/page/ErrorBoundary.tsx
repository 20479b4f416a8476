import { Component, type ReactNode } from 'react';
import { type Page, usePage } from './page';

/**
 * Shows `fallback` (by default nothing) instead of children that throw while rendering, until the
 * next page. React passes the error to the root's `onCaughtError`. On the server the whole render
 * fails, because React has no boundaries there.
 */
export function ErrorBoundary({
  fallback = null,
  children,
}: {
  fallback?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Boundary page={usePage()} fallback={fallback}>
      {children}
    </Boundary>
  );
}

interface Props {
  page: Page;
  fallback: ReactNode;
  children: ReactNode;
}

interface State {
  page: Page;
  hasFailed: boolean;
}

class Boundary extends Component<Props, State> {
  override state: State = { page: this.props.page, hasFailed: false };

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ page }: Props, state: State): State | null {
    return page === state.page ? null : { page, hasFailed: false };
  }

  override render() {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
