import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach } from 'vitest';
import type { Locale } from '~/lib/locale';
import type { Namespace } from '~/lib/messages/messages';
import { loadMessages } from '~/lib/messages/messages';
import { PageProvider } from './page';
import type { PagePayload } from './payload';

// Unmounts what a test rendered.
afterEach(cleanup);

/**
 * For tests: renders elements inside a page, with the messages of all pages and of `namespaces`.
 */
export async function renderInPage(
  element: ReactNode,
  namespaces: readonly Namespace[],
  frame: PagePayload['document']['frame'] = {},
  locale: Locale = 'en-us',
) {
  await Promise.all(['common', ...namespaces].map((namespace) => loadMessages(locale, namespace)));
  const payload: PagePayload = {
    build: 'b',
    page: 'home',
    visitor: { locale, platform: 'pc', theme: 'light' },
    url: `/${locale}`,
    document: { frame },
  };
  return render(element, {
    wrapper: ({ children }) => <PageProvider payload={payload}>{children}</PageProvider>,
  });
}
