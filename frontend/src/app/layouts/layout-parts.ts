import type { Page } from '~/lib/page/page';

/** The regions around a page, by their `data-chrome`. */
export interface LayoutParts {
  header: boolean;
  footer: boolean;
  appFooter: boolean;
  customerService: boolean;
  backToTop: boolean;
}

const NO_PARTS: LayoutParts = {
  header: false,
  footer: false,
  appFooter: false,
  customerService: false,
  backToTop: false,
};
const ALL_PARTS: LayoutParts = {
  ...NO_PARTS,
  header: true,
  footer: true,
  customerService: true,
  backToTop: true,
};

/** The seven layouts (docs/pages.md) outside the app. */
const LAYOUTS: Readonly<Record<string, LayoutParts>> = {
  home: { ...NO_PARTS, header: true, footer: true },
  default: ALL_PARTS,
  app: ALL_PARTS,
  college: ALL_PARTS,
  custom: { ...ALL_PARTS, footer: false },
  support: ALL_PARTS,
  doc: NO_PARTS,
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
}: Pick<Page, 'layout' | 'platform' | 'url'>): LayoutParts {
  if (platform === 'app') return { ...NO_PARTS, appFooter: layout === 'app' };
  if (layout === 'college' && isEmbedded(url)) return NO_PARTS;
  return LAYOUTS[layout] ?? ALL_PARTS;
}

function isEmbedded(url: string): boolean {
  const query = new URLSearchParams(url.split('?', 2)[1]);
  return ['from', 'ref'].some((name) => ['admin', 'share'].includes(query.get(name) ?? ''));
}
