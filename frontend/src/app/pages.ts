import type { ComponentType } from 'react';
import type { Namespace } from '~/lib/messages/namespaces';
import type { PageDocument } from '~/lib/page/payload';

interface PageEntry {
  /** Namespaces beside `chrome`. */
  messages: readonly Namespace[];
  load(): Promise<ComponentType<never>>;
}

/** Every page id of routes.json (and `error`) with its component: the build compares the two. */
export const PAGES = {
  home: {
    messages: ['home', 'fees'],
    load: () => import('~/pages/home/HomePage').then((page) => page.HomePage),
  },
  news: { messages: ['news'], load: newsList },
  'news-us': { messages: ['news'], load: newsList },
  'news-saudi': { messages: ['news'], load: newsList },
  'news-content': {
    messages: ['article', 'quotes', 'reading', 'share'],
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
    messages: ['college-article', 'college', 'reading', 'share'],
    load: collegeArticle,
  },
  'company-news-list': {
    messages: ['company-news'],
    load: () => import('~/pages/company-news/CompanyNewsPage').then((page) => page.CompanyNewsPage),
  },
  'company-news-detail': {
    messages: ['college-article', 'college', 'reading', 'share'],
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
  'app-deep-link-landing': { messages: ['app-link', 'download'], load: appDeepLink },
  'app-deep-link-marketing-landing': { messages: ['app-link', 'download'], load: appDeepLink },
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
