import type { Page } from '~/lib/page/page';

/** A region around a page, by its `data-chrome`. */
export type LayoutPart = 'header' | 'footer' | 'appFooter' | 'customerService' | 'backToTop';

const ALL_PARTS: readonly LayoutPart[] = ['header', 'footer', 'customerService', 'backToTop'];

/** The layouts (docs/pages.md) that do not show all regions outside the app. */
const LAYOUTS: Readonly<Record<string, readonly LayoutPart[]>> = {
  home: ['header', 'footer'],
  custom: ['header', 'customerService', 'backToTop'],
  doc: [],
};

/**
 * The regions that a layout shows (docs/pages.md). In the app all are hidden, and the app layout
 * has its own footer. Education pages embedded in another tool (`from` or `ref` is `admin` or
 * `share`) have none.
 */
export function partsOf({
  layout,
  platform,
  url,
}: Pick<Page, 'layout' | 'platform' | 'url'>): readonly LayoutPart[] {
  if (platform === 'app') return layout === 'app' ? ['appFooter'] : [];
  if (layout === 'college' && isEmbedded(url)) return [];
  return LAYOUTS[layout] ?? ALL_PARTS;
}

function isEmbedded(url: string): boolean {
  const query = new URLSearchParams(url.split('?', 2)[1]);
  return ['from', 'ref'].some((name) => ['admin', 'share'].includes(query.get(name) ?? ''));
}
