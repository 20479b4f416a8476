import { act, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { vi } from 'vitest';
import type { Locale } from '~/lib/locale';
import type { Namespace } from '~/lib/messages/messages';
import { loadMessages } from '~/lib/messages/messages';
import { PageProvider } from './page';
import type { PagePayload } from './payload';

/** For tests: renders elements into the document as a part of a page, with the texts of all pages and of `namespaces`. */
export async function renderInPage(
  element: ReactNode,
  namespaces: readonly Namespace[],
  frame: PagePayload['document']['frame'] = {},
  locale: Locale = 'en-us',
) {
  await Promise.all(['chrome', ...namespaces].map((namespace) => loadMessages(locale, namespace)));
  const payload: PagePayload = {
    build: 'b',
    page: 'home',
    visitor: { locale, platform: 'pc', theme: 'light' },
    url: `/${locale}`,
    document: { frame },
  };
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const render = (shown: ReactNode) =>
    acting(async () => root.render(<PageProvider payload={payload}>{shown}</PageProvider>));
  await render(element);
  return {
    container,
    render,
    unmount: () => {
      root.unmount();
      container.remove();
    },
    /** The button or link that shows a text. */
    control(text: string): HTMLElement {
      const found = [...container.querySelectorAll<HTMLElement>('button, a, input, summary')].find(
        (one) => one.textContent?.includes(text),
      );
      if (!found) throw new Error(`no control shows “${text}”`);
      return found;
    },
  };
}

/** Renders at once; what events cause later is waited for by tests as by a browser. */
async function acting(work: () => Promise<void>) {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await act(work);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
}
