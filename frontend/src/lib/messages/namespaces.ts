import type about from '../../../messages/en-us/about.json';
import type activity from '../../../messages/en-us/activity.json';
import type appLink from '../../../messages/en-us/app-link.json';
import type article from '../../../messages/en-us/article.json';
import type brand from '../../../messages/en-us/brand.json';
import type chrome from '../../../messages/en-us/chrome.json';
import type college from '../../../messages/en-us/college.json';
import type collegeArticle from '../../../messages/en-us/college-article.json';
import type companyNews from '../../../messages/en-us/company-news.json';
import type download from '../../../messages/en-us/download.json';
import type education from '../../../messages/en-us/education.json';
import type error from '../../../messages/en-us/error.json';
import type feedback from '../../../messages/en-us/feedback.json';
import type fees from '../../../messages/en-us/fees.json';
import type guide from '../../../messages/en-us/guide.json';
import type home from '../../../messages/en-us/home.json';
import type login from '../../../messages/en-us/login.json';
import type news from '../../../messages/en-us/news.json';
import type notFound from '../../../messages/en-us/not-found.json';
import type quotes from '../../../messages/en-us/quotes.json';
import type reading from '../../../messages/en-us/reading.json';
import type share from '../../../messages/en-us/share.json';
import type support from '../../../messages/en-us/support.json';
import type terms from '../../../messages/en-us/terms.json';

/**
 * The namespaces of the catalogues and, from the English ones, their keys. `chrome` is loaded with
 * every page, the others with the pages that name them. (`head` and `shell` are the gateway's.)
 */
export interface Namespaces {
  chrome: typeof chrome;
  guide: typeof guide;
  home: typeof home;
  news: typeof news;
  article: typeof article;
  college: typeof college;
  'college-article': typeof collegeArticle;
  'company-news': typeof companyNews;
  education: typeof education;
  reading: typeof reading;
  share: typeof share;
  login: typeof login;
  about: typeof about;
  'app-link': typeof appLink;
  brand: typeof brand;
  download: typeof download;
  feedback: typeof feedback;
  support: typeof support;
  terms: typeof terms;
  activity: typeof activity;
  'not-found': typeof notFound;
  error: typeof error;
  fees: typeof fees;
  quotes: typeof quotes;
}

export type Namespace = keyof Namespaces;
export type Key<N extends Namespace> = keyof Namespaces[N] & string;
