import type { ComponentType, ReactNode } from 'react';
import type { Namespace } from '~/lib/messages/messages';
import type { PageDocument } from './payload';

/**
 * A page's component, which receives the document from the gateway's loader, with the message
 * namespaces it needs besides `common`. A function, so that hot reload can replace it.
 */
export type PageComponent = ComponentType<{ document: PageDocument }> & {
  messages: readonly Namespace[];
};

/**
 * Registers a page: the default export of `{page id}.page.tsx` in the page's folder. The
 * component's props name the proto message of its document.
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
