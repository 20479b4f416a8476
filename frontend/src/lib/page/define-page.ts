import type { ComponentType } from 'react';
import type { Namespace } from '~/lib/messages/messages';
import type { PageDocument } from './payload';

/** A page's component gets the document that the gateway's loader makes. */
export type PageComponent = ComponentType<{ document: PageDocument }>;

export interface PageModule {
  Component: PageComponent;
  /** Namespaces of its texts, beside `chrome`. */
  messages: readonly Namespace[];
}

/**
 * Registers a page: the default export of `{page id}.page.ts` in the page's folder. The document of a
 * page id is of that page's message, which its component names.
 */
export function definePage<D extends PageDocument>(page: {
  Component: ComponentType<{ document: D }>;
  messages: readonly Namespace[];
}): PageModule {
  return page as unknown as PageModule;
}
