// Made by npm run gen from routes.json; do not edit.

/** Paths by page id, without the locale's prefix; their parameters stand at the end and may be left out. */
export const PATHS = {
  home: '/',
  news: '/news',
  'news-us': '/news/us',
  'news-saudi': '/news/saudi',
  'news-content': '/news/content/{id?}',
  education: '/education',
  'education-category': '/education/category/{categoryId?}',
  'education-course': '/education/course/{courseId?}/{categoryId?}',
  'education-article': '/education/article/{articleId?}/{categoryId?}/{courseId?}',
  'company-news-list': '/company-news/list',
  'company-news-detail': '/company-news/detail/{articleId?}/{categoryId?}/{courseId?}',
  login: '/login',
  about: '/about/{title?}',
  brand: '/brand',
  download: '/download',
  'download-index_v1': '/download/index_v1',
  support: '/support',
  'support-search': '/support/search',
  'support-channel': '/support/channel/{id?}',
  'support-detail': '/support/detail/{articleId?}',
  'support-doc': '/support/doc/{id?}',
  terms: '/terms-and-conditions/{id?}',
  preview: '/preview/{type?}',
  'app-deep-link-landing': '/app-deep-link/landing',
  'app-deep-link-marketing-landing': '/app-deep-link/marketing/landing',
  'activity-seed': '/activity/seed',
  'activity-pre-activity-new': '/activity/pre-activity-new',
  'news-notice': '/news/-notice/{id?}',
  pricing: '/pricing',
  invest: '/invest',
  'invest-saudi-stocks': '/invest/saudi-stocks',
  'invest-saudi-etfs': '/invest/saudi-etfs',
  'invest-saudi-reits': '/invest/saudi-reits',
  'invest-saudi-suku-bonds': '/invest/saudi-suku-bonds',
  'invest-us-stocks': '/invest/us-stocks',
  'invest-us-etfs': '/invest/us-etfs',
  'invest-us-options': '/invest/us-options',
  'invest-us-warrants': '/invest/us-warrants',
  'invest-us-otc': '/invest/us-otc',
  'not-found': '/notFound',
} as const;

/** The query parameters that pages declare. */
export interface Queries {
  news: 'tab' | 'cursor';
  'news-us': 'cursor';
  'news-saudi': 'cursor';
  education: 'from' | 'ref';
  'education-category': 'from' | 'ref' | 'pageFrom' | 'cursor';
  'education-course': 'from' | 'ref' | 'pageFrom';
  'education-article': 'from' | 'ref' | 'pageFrom';
  'company-news-list': 'cursor';
  'company-news-detail': 'from' | 'ref';
  download: 'sceneFrom';
  'support-search': 'keyword' | 'cursor';
  'support-channel': 'cursor';
  preview: 'draft';
  'activity-seed': 'activityId' | 'theme';
  'activity-pre-activity-new': 'activityId' | 'theme';
}
