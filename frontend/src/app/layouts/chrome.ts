import type { Page } from '~/lib/page/page';

/** The regions around a page, by their `data-chrome`. */
export interface ChromeParts {
  header: boolean;
  footer: boolean;
  appFooter: boolean;
  customerService: boolean;
  backToTop: boolean;
}

const NONE: ChromeParts = {
  header: false,
  footer: false,
  appFooter: false,
  customerService: false,
  backToTop: false,
};
const ALL: ChromeParts = {
  ...NONE,
  header: true,
  footer: true,
  customerService: true,
  backToTop: true,
};

/** The seven layouts (docs/pages.md) outside the app. */
const LAYOUTS: Readonly<Record<string, ChromeParts>> = {
  home: { ...NONE, header: true, footer: true },
  default: ALL,
  app: ALL,
  college: ALL,
  custom: { ...ALL, footer: false },
  support: ALL,
  doc: NONE,
};

/**
 * The regions that a layout shows (docs/pages.md). In the app all are hidden, and the app layout
 * has its own footer. Education pages embedded in another tool (`from` or `ref` is `admin` or
 * `share`) have none.
 */
export function chromeOf({
  layout,
  platform,
  url,
}: Pick<Page, 'layout' | 'platform' | 'url'>): ChromeParts {
  if (platform === 'app') return { ...NONE, appFooter: layout === 'app' };
  if (layout === 'college' && isEmbedded(url)) return NONE;
  return LAYOUTS[layout] ?? ALL;
}

function isEmbedded(url: string): boolean {
  const query = new URLSearchParams(url.split('?', 2)[1]);
  return ['from', 'ref'].some((name) => ['admin', 'share'].includes(query.get(name) ?? ''));
}
