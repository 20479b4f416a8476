import { type ComponentType, createContext, type HTMLAttributes, use } from 'react';

/** Content that the server has as HTML already, by the component that makes it. */
export const KeptContext = /* @__PURE__ */ createContext<ReadonlyMap<ComponentType, string> | null>(
  null,
);

/**
 * An element whose content is the same on many pages, so that the server need not render it again for
 * each (src/app/kept). In a browser it is an element like any other.
 */
export function Kept({
  in: Element,
  of: Content,
  ...attributes
}: HTMLAttributes<HTMLElement> & { in: 'ul' | 'nav'; of: ComponentType }) {
  if (import.meta.env.SSR) {
    const html = use(KeptContext)?.get(Content);
    if (html !== undefined) {
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made by React, of the same component
      return <Element {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
    }
  }
  return (
    <Element {...attributes}>
      <Content />
    </Element>
  );
}
