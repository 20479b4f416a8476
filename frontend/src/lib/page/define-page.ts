import type { ComponentType, ReactNode } from 'react';
import type { Namespace } from '~/lib/messages/messages';
import type { PageDocument } from './payload';

/**
 * A page's component, which gets the document that the gateway's loader makes, with the namespaces of
 * its texts beside `chrome`. A function, so that changed modules are replaced in the open page.
 */
export type PageComponent = ComponentType<{ document: PageDocument }> & {
  messages: readonly Namespace[];
};

/**
 * Registers a page: the default export of `{page id}.page.tsx` in the page's folder. The document of a
 * page id is of that page's message, which its component names.
 */
export function definePage<D extends PageDocument>({
  Component,
  messages,
}: {
  Component: (props: { document: D }) => ReactNode;
  messages: readonly Namespace[];
}): PageComponent {
  // Bound, because pages may share a component.
  return Object.assign(Component.bind(undefined), { messages }) as unknown as PageComponent;
}
