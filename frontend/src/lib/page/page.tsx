import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { FrameJson } from '~/gen/sahm/page/v1/page_pb';
import { LOCALES, type Locale } from '~/lib/locale';
import { frameOf, type PagePayload, type Platform, type Theme } from './payload';

/** The page that is shown, for every component below it. */
export interface Page {
  /** Id of the route table, or `error`. */
  page: string;
  layout: string;
  locale: Locale;
  dir: 'ltr' | 'rtl';
  platform: Platform;
  theme: Theme;
  frame: FrameJson;
  /** Site path with locale prefix and declared query, as the document was asked for. */
  url: string;
  /** Epoch seconds: what counts as now until the page is hydrated. */
  renderedAt: number;
}

/** For parts that must not see the page change yet; all others call `usePage`. */
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

/** Whether what is shown is not published (`/preview/…`): nobody counts, likes or shares it. */
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
