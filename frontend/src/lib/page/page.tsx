import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { FrameJson } from '~/gen/sahm/page/v1/page_pb';
import { LOCALES, type Locale } from '~/lib/locale';
import { frameOf, type PagePayload, type Platform, type Theme } from './payload';

/** The current page, for all components. */
export interface Page {
  /** Id in the route table, or `error`. */
  page: string;
  layout: string;
  locale: Locale;
  dir: 'ltr' | 'rtl';
  platform: Platform;
  theme: Theme;
  frame: FrameJson;
  /** Site path with locale prefix and declared query, as requested. */
  url: string;
  /** Epoch seconds: the current time until hydration. */
  renderedAt: number;
}

/** For components that must not see a page change yet; others use `usePage`. */
export const PageContext = createContext<Page | null>(null);

export function PageProvider({ payload, children }: { payload: PagePayload; children: ReactNode }) {
  const page = useMemo(() => pageOf(payload), [payload]);
  return <PageContext value={page}>{children}</PageContext>;
}

export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('usePage outside PageProvider');
  return page;
}

/** Whether the page shows a draft (`/preview/…`), which is not counted, liked or shared. */
export function useIsDraft(): boolean {
  return usePage().page === 'preview';
}

function pageOf(payload: PagePayload): Page {
  const frame = frameOf(payload);
  return {
    page: payload.page,
    layout: frame.layout ?? 'default',
    locale: payload.visitor.locale,
    dir: LOCALES[payload.visitor.locale].dir,
    platform: payload.visitor.platform,
    theme: payload.visitor.theme,
    frame,
    url: payload.url,
    renderedAt: frame.renderedAt ?? 0,
  };
}
