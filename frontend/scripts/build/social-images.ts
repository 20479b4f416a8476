import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Pages with their own image, drawn by `scripts/social-images.ts`. */
export const DRAWN_PAGES = [
  'home',
  'news',
  'invest',
  'invest-saudi-stocks',
  'invest-saudi-etfs',
  'invest-saudi-reits',
  'invest-saudi-suku-bonds',
  'invest-us-stocks',
  'invest-us-etfs',
  'invest-us-options',
  'invest-us-warrants',
  'invest-us-otc',
  'pricing',
  'education',
  'company-news-list',
  'about',
  'brand',
  'download',
  'support',
] as const;

/** Pages that use another page's image although their id does not start with its id. */
const SHARED: Readonly<Record<string, string>> = {
  'company-news-detail': 'company-news-list',
  'app-deep-link-landing': 'download',
  'app-deep-link-marketing-landing': 'download',
};

/** The file in `public/` that is the `og:image` of a page. */
export function socialImageOf(page: string, locale: string): string {
  const byName = DRAWN_PAGES.filter((drawn) => page === drawn || page.startsWith(`${drawn}-`));
  const drawn = SHARED[page] ?? byName.sort((a, b) => b.length - a.length)[0] ?? 'home';
  return `og-${drawn}.${locale}.png`;
}

/** A description of each image that is missing from `folder`. */
export function missingSocialImages(
  folder: string,
  pages: readonly string[],
  locales: readonly string[],
): string[] {
  const files = pages.flatMap((page) => locales.map((locale) => socialImageOf(page, locale)));
  return [...new Set(files)]
    .filter((file) => !existsSync(join(folder, file)))
    .map((file) => `public/${file} is missing: npm run social-images draws it`);
}
