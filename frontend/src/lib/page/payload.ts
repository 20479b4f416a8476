import type { FrameJson } from '~/gen/sahm/page/v1/page_pb';
import type { Locale } from '~/lib/locale';

export type Platform = 'app' | 'mobile' | 'pc';
export type Theme = 'light' | 'dark' | 'auto';

/** The properties of a visitor that pages depend on (docs/sessions.md). */
export interface Visitor {
  locale: Locale;
  platform: Platform;
  theme: Theme;
}

/**
 * Fields common to all page documents: each is the canonical JSON of a message of `sahm.page.v1`.
 */
export interface PageDocument {
  frame?: FrameJson;
}

/** The input of a render on the server and of hydration. */
export interface PagePayload {
  /** The build that rendered the page. */
  build: string;
  /** Id in the route table, or `error`. */
  page: string;
  visitor: Visitor;
  /** Site path with locale prefix and declared query; empty if no route matched. */
  url: string;
  document: PageDocument;
  /** The server could not render: the browser renders instead of hydrating. */
  shell?: true;
  /** The site runs in production. Errors are reported only there. */
  production?: true;
}

/** Headers of a request for page data: the response omits layout data of this version. */
export function dataHeaders({ layoutData }: FrameJson): Record<string, string> {
  const { version } = layoutData ?? {};
  return { accept: 'application/json', ...(version && { 'x-layout-version': version }) };
}

/** The frame of a payload's document; empty if missing. */
export function frameOf(payload: PagePayload): FrameJson {
  return payload.document.frame ?? {};
}
