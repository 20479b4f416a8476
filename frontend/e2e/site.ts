import table from '../routes.json' with { type: 'json' };
import type { NewsListPageJson } from '../src/gen/sahm/page/v1/page_pb';
import { LOCALE_IDS, type Locale } from '../src/lib/locale.ts';

/** The origin of the tested site. */
export function origin(): string {
  const url = process.env.SAHM_E2E_URL;
  if (!url) throw new Error('SAHM_E2E_URL names no site');
  return url.replace(/\/$/, '');
}

/** A page to test. */
export interface Target {
  /** The page's name in test titles and file names. */
  name: string;
  /** Page id, as in `data-page`. */
  page: string;
  /** Path without locale prefix. */
  path: string | ((locale: Locale) => string | Promise<string>);
  /** 200 if absent. */
  status?: number;
}

/** Pages whose addresses redirect this browser to another page. */
const REDIRECTED_PAGES = ['activity-seed'];

/**
 * Addresses of pages that need parameters or are tested in several states; the article page shows
 * the newest article.
 */
const SAMPLES: readonly Target[] = [
  {
    name: 'article',
    page: 'news-content',
    path: async (locale) => `/news/content/${await newestArticle(locale)}`,
  },
  { name: 'notice', page: 'news-notice', path: '/news/-notice/9001' },
  { name: 'download-v1', page: 'download-index_v1', path: '/download/index_v1' },
  { name: 'help-search', page: 'support-search', path: '/support/search' },
  {
    name: 'help-search-hits',
    page: 'support-search',
    path: (locale) =>
      `/support/search?keyword=${encodeURIComponent(locale === 'ar-sa' ? 'إيداع' : 'deposit')}`,
  },
  { name: 'channel', page: 'support-channel', path: '/support/channel/fees-and-tax' },
  { name: 'help', page: 'support-detail', path: '/support/detail/saudi-fees' },
  { name: 'feedback', page: 'support-detail', path: '/support/detail/how-to-contact-support' },
  { name: 'help-doc', page: 'support-doc', path: '/support/doc' },
  { name: 'terms', page: 'terms', path: '/terms-and-conditions/service-agreement' },
  { name: 'about-disclaimer', page: 'terms', path: '/about/disclaimer' },
  { name: 'app-link', page: 'app-deep-link-landing', path: '/app-deep-link/landing' },
  {
    name: 'app-link-marketing',
    page: 'app-deep-link-marketing-landing',
    path: '/app-deep-link/marketing/landing',
  },
  { name: 'education-category', page: 'education-category', path: '/education/category/2' },
  {
    name: 'education-course',
    page: 'education-course',
    path: '/education/course/first-steps-in-the-market/1?pageFrom=2',
  },
  {
    name: 'education-article',
    page: 'education-article',
    path: '/education/article/what-a-share-is',
  },
  {
    name: 'company-news-detail',
    page: 'company-news-detail',
    path: '/company-news/detail/capital-raised',
  },
  { name: 'not-found', page: 'not-found', path: '/no-such-page', status: 404 },
  {
    name: 'lesson-gone',
    page: 'not-found',
    path: '/education/article/no-such-lesson',
    status: 404,
  },
  { name: 'preview', page: 'preview', path: '/preview/drafts' },
  { name: 'preview-lesson', page: 'preview', path: '/preview/drafts?draft=college-article-990002' },
  { name: 'preview-none', page: 'preview', path: '/preview/no-drafts' },
  {
    name: 'campaign',
    page: 'activity-pre-activity-new',
    path: '/activity/pre-activity-new?activityId=6666',
  },
  {
    name: 'campaign-draws',
    page: 'activity-pre-activity-new',
    path: '/activity/pre-activity-new?activityId=923&theme=1',
  },
  {
    name: 'campaign-none',
    page: 'not-found',
    path: '/activity/pre-activity-new?activityId=7',
    status: 404,
  },
  { name: 'article-gone', page: 'not-found', path: '/news/content/999999999', status: 404 },
];

/** Every page of the route table, at the samples' addresses or else at its path without parameters. */
export const TARGETS: readonly Target[] = [
  ...table.routes
    .filter(({ id }) => !REDIRECTED_PAGES.includes(id) && !SAMPLES.some(({ page }) => page === id))
    .map(({ id, path }) => ({ name: id, page: id, path: path.replace(/\/\{.*/, '') })),
  ...SAMPLES,
];

async function newestArticle(locale: Locale): Promise<string> {
  const answer = await fetch(`${origin()}/_data/${locale}/news`);
  const { document } = (await answer.json()) as { document: NewsListPageJson };
  const id = document.articles?.[0]?.id;
  if (!id) throw new Error(`the site has no ${locale} article`);
  return id;
}

/** The address of a path in a language. */
export function address(locale: Locale, path: string): string {
  return `${origin()}/${locale}${path === '/' ? '' : path}`;
}

/** The address of a target in a language. */
export async function urlOf(locale: Locale, { path }: Target): Promise<string> {
  return address(locale, typeof path === 'string' ? path : await path(locale));
}

export { LOCALE_IDS };
