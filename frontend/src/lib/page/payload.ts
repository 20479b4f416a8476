import type { FrameJson } from '~/gen/sahm/page/v1/page_pb';
import type { Locale } from '~/lib/locale';

export type Platform = 'app' | 'mobile' | 'pc';
export type Theme = 'light' | 'dark' | 'auto';

/** Who is looking, as far as pages differ by it (docs/sessions.md). */
export interface Visitor {
  locale: Locale;
  platform: Platform;
  theme: Theme;
}

/** What all page documents share: each is the canonical JSON of a message of `sahm.page.v1`. */
export interface PageDocument {
  frame?: FrameJson;
}

/** What the server's HTML is made from, and the first client render again. */
export interface PagePayload {
  /** The build that made the page. */
  build: string;
  /** Id of the route table, or `error`. */
  page: string;
  visitor: Visitor;
  /** Site path with locale prefix and declared query; empty where the path matched no route. */
  url: string;
  document: PageDocument;
  /** The server could not render: the browser renders instead of hydrating. */
  shell?: true;
  /** The site runs in production: only there are errors reported. */
  production?: true;
}

/** Headers of a request for page data: the response omits layout data of the version named here. */
export function dataHeaders({ layoutData }: FrameJson): Record<string, string> {
  const { version } = layoutData ?? {};
  return { accept: 'application/json', ...(version && { 'x-layout-version': version }) };
}

/** The frame of a payload's document; an empty one where it is missing. */
export function frameOf(payload: PagePayload): FrameJson {
  return payload.document.frame ?? {};
}
