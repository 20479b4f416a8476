import { PRODUCTS as PRODUCTS_BY_MARKET } from '../src/features/products/products.ts';
import type { NewsListPageJson } from '../src/gen/sahm/page/v1/page_pb';
import { LOCALE_IDS, type Locale } from '../src/lib/locale.ts';

/** Where the tested site answers. */
export function origin(): string {
  const url = process.env.SAHM_E2E_URL;
  if (!url) throw new Error('SAHM_E2E_URL names no site');
  return url.replace(/\/$/, '');
}

/** A page to look at. */
export interface Target {
  /** Names it in test titles and file names. */
  name: string;
  /** Page id, as in `data-page`. */
  page: string;
  /** Path without locale prefix. */
  path: string;
  status: number;
}

const PRODUCTS = Object.values(PRODUCTS_BY_MARKET).flat();

/** Every page the site has, one address each; the article is the newest one. */
export async function targets(locale: Locale): Promise<Target[]> {
  return [
    { name: 'home', page: 'home', path: '/', status: 200 },
    { name: 'news', page: 'news', path: '/news', status: 200 },
    { name: 'news-us', page: 'news-us', path: '/news/us', status: 200 },
    { name: 'news-saudi', page: 'news-saudi', path: '/news/saudi', status: 200 },
    {
      name: 'article',
      page: 'news-content',
      path: `/news/content/${await newestArticle(locale)}`,
      status: 200,
    },
    { name: 'invest', page: 'invest', path: '/invest', status: 200 },
    ...PRODUCTS.map((product) => ({
      name: `invest-${product}`,
      page: `invest-${product}`,
      path: `/invest/${product}`,
      status: 200,
    })),
    { name: 'pricing', page: 'pricing', path: '/pricing', status: 200 },
    { name: 'notice', page: 'news-notice', path: '/news/-notice/9001', status: 200 },
    { name: 'about', page: 'about', path: '/about', status: 200 },
    { name: 'about-disclaimer', page: 'terms', path: '/about/disclaimer', status: 200 },
    { name: 'brand', page: 'brand', path: '/brand', status: 200 },
    { name: 'download', page: 'download', path: '/download', status: 200 },
    { name: 'download-v1', page: 'download-index_v1', path: '/download/index_v1', status: 200 },
    { name: 'support', page: 'support', path: '/support', status: 200 },
    { name: 'help-search', page: 'support-search', path: '/support/search', status: 200 },
    {
      name: 'help-search-hits',
      page: 'support-search',
      path: `/support/search?keyword=${encodeURIComponent(locale === 'ar-sa' ? 'إيداع' : 'deposit')}`,
      status: 200,
    },
    {
      name: 'channel',
      page: 'support-channel',
      path: '/support/channel/fees-and-tax',
      status: 200,
    },
    { name: 'help', page: 'support-detail', path: '/support/detail/saudi-fees', status: 200 },
    {
      name: 'feedback',
      page: 'support-detail',
      path: '/support/detail/how-to-contact-support',
      status: 200,
    },
    { name: 'help-doc', page: 'support-doc', path: '/support/doc', status: 200 },
    {
      name: 'terms',
      page: 'terms',
      path: '/terms-and-conditions/service-agreement',
      status: 200,
    },
    {
      name: 'app-link',
      page: 'app-deep-link-landing',
      path: '/app-deep-link/landing',
      status: 200,
    },
    {
      name: 'app-link-marketing',
      page: 'app-deep-link-marketing-landing',
      path: '/app-deep-link/marketing/landing',
      status: 200,
    },
    { name: 'education', page: 'education', path: '/education', status: 200 },
    {
      name: 'education-category',
      page: 'education-category',
      path: '/education/category/2',
      status: 200,
    },
    {
      name: 'education-course',
      page: 'education-course',
      path: '/education/course/first-steps-in-the-market/1?pageFrom=2',
      status: 200,
    },
    {
      name: 'education-article',
      page: 'education-article',
      path: '/education/article/what-a-share-is',
      status: 200,
    },
    {
      name: 'company-news-list',
      page: 'company-news-list',
      path: '/company-news/list',
      status: 200,
    },
    {
      name: 'company-news-detail',
      page: 'company-news-detail',
      path: '/company-news/detail/capital-raised',
      status: 200,
    },
    {
      name: 'lesson-gone',
      page: 'not-found',
      path: '/education/article/no-such-lesson',
      status: 404,
    },
    { name: 'preview', page: 'preview', path: '/preview/drafts', status: 200 },
    {
      name: 'preview-lesson',
      page: 'preview',
      path: '/preview/drafts?draft=college-article-990002',
      status: 200,
    },
    { name: 'preview-none', page: 'preview', path: '/preview/no-drafts', status: 200 },
    { name: 'login', page: 'login', path: '/login', status: 200 },
    {
      name: 'campaign',
      page: 'activity-pre-activity-new',
      path: '/activity/pre-activity-new?activityId=6666',
      status: 200,
    },
    {
      name: 'campaign-draws',
      page: 'activity-pre-activity-new',
      path: '/activity/pre-activity-new?activityId=923&theme=1',
      status: 200,
    },
    {
      name: 'campaign-none',
      page: 'not-found',
      path: '/activity/pre-activity-new?activityId=7',
      status: 404,
    },
    { name: 'not-found', page: 'not-found', path: '/no-such-page', status: 404 },
    { name: 'article-gone', page: 'not-found', path: '/news/content/999999999', status: 404 },
  ];
}

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

export { LOCALE_IDS };
