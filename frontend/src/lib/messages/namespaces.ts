import type article from '../../../messages/en-us/article.json';
import type chrome from '../../../messages/en-us/chrome.json';
import type error from '../../../messages/en-us/error.json';
import type fees from '../../../messages/en-us/fees.json';
import type home from '../../../messages/en-us/home.json';
import type news from '../../../messages/en-us/news.json';
import type notFound from '../../../messages/en-us/not-found.json';
import type quotes from '../../../messages/en-us/quotes.json';

/**
 * The namespaces of the catalogues and, from the English ones, their keys. `chrome` is loaded with
 * every page, the others with the pages that name them. (`head` and `shell` are the gateway's.)
 */
export interface Namespaces {
  chrome: typeof chrome;
  home: typeof home;
  news: typeof news;
  article: typeof article;
  'not-found': typeof notFound;
  error: typeof error;
  fees: typeof fees;
  quotes: typeof quotes;
}

export type Namespace = keyof Namespaces;
export type Key<N extends Namespace> = keyof Namespaces[N] & string;
