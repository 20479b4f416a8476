import type { ComponentType } from 'react';
import type { Namespace } from '~/lib/messages/messages';
import type { PageDocument } from '~/lib/page/payload';

interface PageEntry {
  /** Namespaces beside `chrome`. */
  messages: readonly Namespace[];
  load(): Promise<ComponentType<never>>;
}

/** Every page id of routes.json (and `error`) with its component: the build compares the two. */
export const PAGES = {
  home: {
    messages: ['home', 'products'],
    load: () => import('~/pages/home/HomePage').then((page) => page.HomePage),
  },
  news: { messages: ['news'], load: newsList },
  'news-us': { messages: ['news'], load: newsList },
  'news-saudi': { messages: ['news'], load: newsList },
  'news-content': {
    messages: ['article', 'reading'],
    load: () => import('~/pages/article/ArticlePage').then((page) => page.ArticlePage),
  },
  education: {
    messages: ['education', 'college'],
    load: () => import('~/pages/education/EducationPage').then((page) => page.EducationPage),
  },
  'education-category': {
    messages: ['education', 'college'],
    load: () => import('~/pages/education/CategoryPage').then((page) => page.CategoryPage),
  },
  'education-course': {
    messages: ['education', 'college'],
    load: () => import('~/pages/education/CoursePage').then((page) => page.CoursePage),
  },
  'education-article': {
    messages: ['college-article', 'college', 'reading'],
    load: collegeArticle,
  },
  'company-news-list': {
    messages: ['company-news'],
    load: () => import('~/pages/company-news/CompanyNewsPage').then((page) => page.CompanyNewsPage),
  },
  'company-news-detail': {
    messages: ['college-article', 'college', 'reading'],
    load: collegeArticle,
  },
  login: {
    messages: ['login'],
    load: () => import('~/pages/login/LoginPage').then((page) => page.LoginPage),
  },
  about: {
    messages: ['about'],
    load: () => import('~/pages/about/AboutPage').then((page) => page.AboutPage),
  },
  brand: {
    messages: ['brand'],
    load: () => import('~/pages/brand/BrandPage').then((page) => page.BrandPage),
  },
  download: { messages: ['download'], load: download },
  'download-index_v1': { messages: ['download'], load: download },
  support: {
    messages: ['support'],
    load: () => import('~/pages/support/SupportPage').then((page) => page.SupportPage),
  },
  'support-search': {
    messages: ['support'],
    load: () => import('~/pages/support/SupportSearchPage').then((page) => page.SupportSearchPage),
  },
  'support-channel': {
    messages: ['support'],
    load: () =>
      import('~/pages/support/SupportChannelPage').then((page) => page.SupportChannelPage),
  },
  'support-detail': {
    messages: ['support', 'feedback'],
    load: () => import('~/pages/support/SupportDetailPage').then((page) => page.SupportDetailPage),
  },
  'support-doc': {
    messages: ['support'],
    load: () => import('~/pages/support/SupportDocPage').then((page) => page.SupportDocPage),
  },
  terms: {
    messages: ['terms'],
    load: () => import('~/pages/terms/TermsPage').then((page) => page.TermsPage),
  },
  preview: {
    messages: ['preview'],
    load: () => import('~/app/preview/PreviewPage').then((page) => page.PreviewPage),
  },
  'app-deep-link-landing': { messages: ['app-link', 'download'], load: appDeepLink },
  'app-deep-link-marketing-landing': { messages: ['app-link', 'download'], load: appDeepLink },
  'activity-seed': { messages: ['activity'], load: activity },
  'activity-pre-activity-new': { messages: ['activity'], load: activity },
  'news-notice': {
    messages: ['notice', 'reading', 'quotes'],
    load: () => import('~/pages/notice/NoticePage').then((page) => page.NoticePage),
  },
  pricing: {
    messages: ['pricing', 'fees'],
    load: () => import('~/pages/pricing/PricingPage').then((page) => page.PricingPage),
  },
  invest: {
    messages: ['invest', 'quotes'],
    load: () => import('~/pages/invest/InvestPage').then((page) => page.InvestPage),
  },
  'invest-saudi-stocks': {
    messages: ['invest-product', 'invest-saudi-stocks'],
    load: () => import('~/pages/invest/SaudiStocksPage').then((page) => page.SaudiStocksPage),
  },
  'invest-saudi-etfs': {
    messages: ['invest-product', 'invest-saudi-etfs'],
    load: () => import('~/pages/invest/SaudiEtfsPage').then((page) => page.SaudiEtfsPage),
  },
  'invest-saudi-reits': {
    messages: ['invest-product', 'invest-saudi-reits'],
    load: () => import('~/pages/invest/SaudiReitsPage').then((page) => page.SaudiReitsPage),
  },
  'invest-saudi-suku-bonds': {
    messages: ['invest-product', 'invest-saudi-suku-bonds'],
    load: () =>
      import('~/pages/invest/SaudiSukukBondsPage').then((page) => page.SaudiSukukBondsPage),
  },
  'invest-us-stocks': {
    messages: ['invest-product', 'invest-us-stocks', 'margin'],
    load: () => import('~/pages/invest/UsStocksPage').then((page) => page.UsStocksPage),
  },
  'invest-us-etfs': {
    messages: ['invest-product', 'invest-us-etfs'],
    load: () => import('~/pages/invest/UsEtfsPage').then((page) => page.UsEtfsPage),
  },
  'invest-us-options': {
    messages: ['invest-product', 'invest-us-options'],
    load: () => import('~/pages/invest/UsOptionsPage').then((page) => page.UsOptionsPage),
  },
  'invest-us-warrants': {
    messages: ['invest-product', 'invest-us-warrants'],
    load: () => import('~/pages/invest/UsWarrantsPage').then((page) => page.UsWarrantsPage),
  },
  'invest-us-otc': {
    messages: ['invest-product', 'invest-us-otc'],
    load: () => import('~/pages/invest/UsOtcPage').then((page) => page.UsOtcPage),
  },
  'not-found': {
    messages: ['not-found'],
    load: () => import('~/pages/not-found/NotFoundPage').then((page) => page.NotFoundPage),
  },
  error: {
    messages: ['error'],
    load: () => import('~/pages/error/ErrorPage').then((page) => page.ErrorPage),
  },
} satisfies Record<string, PageEntry>;

export type PageId = keyof typeof PAGES;

export function isPageId(id: string): id is PageId {
  return Object.hasOwn(PAGES, id);
}

function newsList() {
  return import('~/pages/news/NewsListPage').then((page) => page.NewsListPage);
}

function collegeArticle() {
  return import('~/pages/education-article/CollegeArticlePage').then(
    (page) => page.CollegeArticlePage,
  );
}

function download() {
  return import('~/pages/download/DownloadPage').then((page) => page.DownloadPage);
}

function appDeepLink() {
  return import('~/pages/app-deep-link/AppDeepLinkPage').then((page) => page.AppDeepLinkPage);
}

function activity() {
  return import('~/pages/activity/ActivityPage').then((page) => page.ActivityPage);
}

/** A page's component: it gets the document that its loader made. */
export type PageComponent = ComponentType<{ document: PageDocument }>;

const components = new Map<PageId, PageComponent>();

/** Loads a page's code; then `componentOf` has it at once. */
export async function loadComponent(id: PageId): Promise<void> {
  if (components.has(id)) return;
  // The document of a page id is of that page's message: the gateway's loader makes both.
  components.set(id, (await PAGES[id].load()) as PageComponent);
}

export function componentOf(id: PageId): PageComponent {
  const component = components.get(id);
  if (!component) throw new Error(`page ${id} is not loaded`);
  return component;
}
