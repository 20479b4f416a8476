import { LOCALE_IDS, type Locale, localeOfPath } from '../src/lib/locale.ts';
import { type Tag, tagsOf } from './html.ts';
import { address, origin } from './site.ts';

/** The response of an address of this site after redirects. */
export interface CrawledAddress {
  /** The requested address, without fragment. */
  url: string;
  status: number;
  /** Redirects before the response. */
  hops: string[];
  /** The address after redirects. */
  finalUrl: string;
  /** Empty if the response is not a page. */
  html: string;
  tags: Tag[];
}

/** A reference from a page to an address. */
export interface Link {
  from: string;
  tag: Tag;
  /** Absolute, with its fragment. */
  url: URL;
}

export interface Crawl {
  answers: ReadonlyMap<string, CrawledAddress>;
  links: readonly Link[];
}

/** Concurrent requests. */
const MAX_CONCURRENT_REQUESTS = 4;
const MAX_REDIRECTS = 3;
const PC = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150', accept: '*/*' };

/**
 * Requests all addresses of this site that are reachable from both home pages and the sitemaps: links,
 * forms, alternates, pictures, scripts and styles.
 */
export async function crawl(): Promise<Crawl> {
  const answers = new Map<string, CrawledAddress>();
  const links: Link[] = [];
  let next = new Set<string>([
    ...LOCALE_IDS.map((locale) => address(locale, '/')),
    `${origin()}/sitemap.xml`,
  ]);
  while (next.size > 0) {
    const found = new Set<string>();
    await inParallel([...next], async (url) => {
      const answer = await follow(url);
      answers.set(url, answer);
      for (const link of linksOf(answer)) {
        links.push(link);
        if (isOwn(link.url)) found.add(withoutHash(link.url));
      }
    });
    for (const url of answers.keys()) found.delete(url);
    next = found;
  }
  return { answers, links };
}

/** Sends GET and follows redirects; throws if one leaves the site or there are too many. */
export async function follow(url: string): Promise<CrawledAddress> {
  const hops: string[] = [];
  let at = url;
  for (;;) {
    const response = await fetch(at, { headers: PC, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || !location) {
      const kind = response.headers.get('content-type') ?? '';
      const isText = /html|xml/.test(kind);
      const text = isText ? await response.text() : '';
      if (!isText) await response.body?.cancel();
      const tags = isText ? tagsOf(text) : [];
      const html = kind.includes('text/html') ? text : '';
      const sitemap = html === '' && isText ? locationsOf(text) : [];
      return {
        url,
        status: response.status,
        hops,
        finalUrl: at,
        html,
        tags: [...tags, ...sitemap],
      };
    }
    hops.push(at);
    if (hops.length > MAX_REDIRECTS)
      throw new Error(`${url} is redirected more than ${MAX_REDIRECTS} times`);
    at = new URL(location, at).href;
    if (!isOwn(new URL(at))) throw new Error(`${url} leads off the site, to ${at}`);
  }
}

/** The addresses of a sitemap, as tags like those of a page. */
function locationsOf(xml: string): Tag[] {
  return [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, href = '']) => ({
    name: 'loc',
    attributes: { href: href.replaceAll('&amp;', '&') },
  }));
}

/** Attributes with an address, by tag; `srcset` has several. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  area: ['href'],
  link: ['href'],
  'xhtml:link': ['href'],
  loc: ['href'],
  form: ['action'],
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  video: ['src', 'poster'],
  track: ['src'],
  script: ['src'],
  use: ['href'],
  image: ['href'],
};

function linksOf({ finalUrl, tags }: CrawledAddress): Link[] {
  return tags.flatMap((tag) => {
    const values = (ADDRESSES[tag.name] ?? []).flatMap((attribute) => {
      const value = tag.attributes[attribute];
      if (value === undefined) return [];
      return attribute === 'srcset'
        ? value.split(',').map((one) => one.trim().split(/\s+/)[0] ?? '')
        : [value];
    });
    const image = tag.attributes.property === 'og:image' ? [tag.attributes.content ?? ''] : [];
    return [...values, ...image].map((value) => ({
      from: finalUrl,
      tag,
      url: new URL(value, finalUrl),
    }));
  });
}

export function isOwn(url: URL): boolean {
  return url.origin === new URL(origin()).origin;
}

export function withoutHash(url: URL): string {
  return url.href.split('#', 1)[0] ?? '';
}

/** The locale in a page's address, if any. */
export function localeOf(url: string): Locale | undefined {
  return localeOfPath(new URL(url).pathname);
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS }, worker));
}
