import { LOCALES } from '../src/lib/locale.ts';
import {
  type Crawl,
  type CrawledAddress,
  crawl,
  follow,
  isOwn,
  type Link,
  localeOf,
  withoutHash,
} from './crawl.ts';
import { headingOf, jsonLdOf, titleOf } from './html.ts';
import { errorsIn, isDate } from './schema-org.ts';
import { origin } from './site.ts';
import { expect, test } from './test.ts';

/** All addresses reachable from both home pages, crawled once for all tests of this file. */
let site: Crawl;
let pages: CrawledPage[];

/** A page at its canonical address. */
interface CrawledPage {
  url: string;
  title: string;
  heading: string;
  description: string;
  canonical: string;
  alternates: ReadonlyMap<string, string>;
  noindex: boolean;
  jsonLd: string[];
}

const MAX_TITLE_LENGTH = 65;
const MIN_DESCRIPTION_LENGTH = 50;
const MAX_DESCRIPTION_LENGTH = 160;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  site = await crawl();
  pages = [...site.answers.values()].filter(({ html }) => html !== '').map(read);
});

/** A heading may keep words together that the title in the tab does not. */
const withPlainSpaces = (text: string) => text.replaceAll('\u00a0', ' ');

function read({ finalUrl, html, tags }: CrawledAddress): CrawledPage {
  const meta = (name: string) =>
    tags.find(({ attributes }) => attributes.name === name)?.attributes.content ?? '';
  const links = tags.filter(({ name }) => name === 'link').map(({ attributes }) => attributes);
  return {
    url: finalUrl,
    title: withPlainSpaces(titleOf(html)),
    heading: withPlainSpaces(headingOf(html)),
    description: meta('description'),
    canonical: links.find(({ rel }) => rel === 'canonical')?.href ?? '',
    alternates: new Map(
      links
        .filter(({ hreflang }) => hreflang)
        .map(({ hreflang = '', href = '' }) => [hreflang, href]),
    ),
    noindex: meta('robots').includes('noindex'),
    jsonLd: jsonLdOf(html),
  };
}

/** Pages that search engines may index, each under its canonical address. */
const indexed = () => [
  ...new Map(
    pages
      .filter(({ noindex, url, canonical }) => !noindex && canonical === url)
      .map((page) => [page.url, page]),
  ).values(),
];

test.describe('indexable pages', () => {
  test('are many, in both languages', () => {
    for (const locale of ['en-us', 'ar-sa']) {
      expect(indexed().filter(({ url }) => localeOf(url) === locale).length).toBeGreaterThan(100);
    }
  });

  test(`have titles that end with the brand and exceed ${MAX_TITLE_LENGTH} characters for headlines only`, () => {
    const isHome = (url: string) => /\/(en-us|ar-sa)$/.test(url);
    const wrong = indexed().filter(({ url, title, heading }) => {
      const end = title.lastIndexOf(' | ');
      const brand = localeOf(url) === 'ar-sa' ? 'سهم' : 'Sahm';
      const isBranded = isHome(url) || title.slice(Math.max(end, 0)).includes(brand);
      const isLong = [...title].length > MAX_TITLE_LENGTH;
      return !isBranded || (isLong && !title.startsWith(`${heading} | `));
    });
    expect(wrong.map(({ url, title }) => `${[...title].length} ${url} ${title}`)).toEqual([]);
  });

  test(`have descriptions of ${MIN_DESCRIPTION_LENGTH} to ${MAX_DESCRIPTION_LENGTH} characters`, () => {
    const wrong = indexed().filter(({ description }) => {
      const { length } = [...description];
      return length < MIN_DESCRIPTION_LENGTH || length > MAX_DESCRIPTION_LENGTH;
    });
    expect(
      wrong.map(({ url, description }) => `${[...description].length} ${url} ${description}`),
    ).toEqual([]);
  });

  for (const field of ['title', 'description'] as const)
    test(`have a unique ${field}`, () => {
      const seen = new Map<string, string[]>();
      for (const page of indexed()) {
        const text = `${localeOf(page.url)} ${page[field]}`;
        seen.set(text, [...(seen.get(text) ?? []), page.url]);
      }
      expect([...seen].filter(([, urls]) => urls.length > 1)).toEqual([]);
    });

  test('are alternates of their alternates', () => {
    const byUrl = new Map(pages.map((page) => [page.url, page]));
    const wrong = indexed().flatMap(({ url, alternates }) => {
      const own = localeOf(url) ?? '';
      if (alternates.get(own) !== url) return [`${url} does not name itself`];
      return [...alternates]
        .filter(([hreflang]) => hreflang !== 'x-default')
        .filter(([hreflang, href]) => {
          const there = byUrl.get(href);
          return localeOf(href) !== hreflang || there?.alternates.get(own) !== url;
        })
        .map(([, href]) => `${href} does not name ${url}`);
    });
    expect(wrong).toEqual([]);
  });

  test('have the English page as x-default', () => {
    const wrong = indexed().filter(
      ({ alternates }) => alternates.get('x-default') !== alternates.get('en-us'),
    );
    expect(wrong.map(({ url }) => url)).toEqual([]);
  });
});

test('canonical addresses are on this site and canonical themselves', () => {
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  const wrong = pages.filter(
    ({ canonical }) => canonical !== '' && byUrl.get(canonical)?.canonical !== canonical,
  );
  expect(wrong.map(({ url, canonical }) => `${url} → ${canonical}`)).toEqual([]);
});

test.describe('structured data', () => {
  const objects = () =>
    pages.flatMap(({ url, jsonLd }) => jsonLd.map((text) => ({ url, data: JSON.parse(text) })));

  test('has the properties that its type requires', () => {
    const wrong = objects().flatMap(({ url, data }) =>
      errorsIn(data).map((fault) => `${url}: ${fault}`),
    );
    expect(wrong).toEqual([]);
    const types = new Set(objects().map(({ data }) => (data as { '@type': string })['@type']));
    for (const type of ['WebSite', 'Organization', 'NewsArticle', 'BreadcrumbList']) {
      expect(types).toContain(type);
    }
  });

  test('names existing addresses of this site', async () => {
    const named = new Set(objects().flatMap(({ data }) => addressesIn(data)));
    expect(named.size).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const address of named) {
      const answer = site.answers.get(address) ?? (await follow(address));
      if (!isOwn(new URL(address)) || answer.status !== 200) wrong.push(address);
    }
    expect(wrong).toEqual([]);
  });

  test('names the language of the text and of the canonical address', () => {
    const texts = pages.flatMap(({ canonical, jsonLd }) =>
      jsonLd
        .map((text) => (JSON.parse(text) as { inLanguage?: string }).inLanguage)
        .filter((language) => language !== undefined)
        .map((language) => ({ canonical, language })),
    );
    const wrong = texts.filter(({ canonical, language }) => {
      const own = localeOf(canonical);
      return own === undefined || language !== LOCALES[own].tag;
    });
    expect(wrong).toEqual([]);
    expect(texts.length).toBeGreaterThan(100);
  });
});

for (const [text, expected] of [
  ['2026-11-21T09:00:00Z', true],
  ['2026-11-21', true],
  ['21/11/2026', false],
  ['', false],
] as const)
  test(`${text} is a date: ${expected}`, () => {
    expect(isDate(text)).toBe(expected);
  });

/** All URLs in a JSON-LD object, except the vocabulary's in `@context`. */
function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '@context' ? [] : addressesIn(inner),
  );
}

const described = ({ from, tag, url }: Link) => `${from}: <${tag.name}> ${url.href}`;
const documents = () => [...site.answers.values()].filter(({ html }) => html !== '');

/** Distinct links, each with one page that contains it. */
function distinct(wanted: (link: Link) => boolean): Link[] {
  return [...new Map(site.links.filter(wanted).map((link) => [link.url.href, link])).values()];
}

test('the crawl reaches all pages in both languages', () => {
  for (const locale of ['en-us', 'ar-sa'] as const) {
    const own = documents().filter(({ finalUrl }) => localeOf(finalUrl) === locale);
    expect(own.length).toBeGreaterThan(100);
    const kinds = new Set(own.map(({ tags }) => tags[0]?.attributes['data-page']));
    // Only campaigns and apps link to the other pages of routes.json.
    expect(kinds.size).toBeGreaterThan(30);
  }
});

test.describe('a link to this site', () => {
  test('answers 200, if necessary after redirects', () => {
    const wrong = distinct(({ url }) => isOwn(url)).filter(({ tag, url }) => {
      // REST operations that take a form do not support GET.
      const wanted = tag.attributes.method?.toLowerCase() === 'post' ? 405 : 200;
      return site.answers.get(withoutHash(url))?.status !== wanted;
    });
    expect(wrong.map(described)).toEqual([]);
  });

  test('is redirected only from a campaign of another environment', () => {
    const redirected = [...site.answers.values()].filter(({ hops }) => hops.length > 0);
    const paths = new Set(redirected.map(({ url }) => new URL(url).pathname));
    expect([...paths].sort()).toEqual(['/ar-sa/activity/seed', '/en-us/activity/seed']);
  });

  test('with a fragment names an element of the page', () => {
    const wrong = distinct(({ url }) => isOwn(url) && url.hash.length > 1).filter(({ url }) => {
      const tags = site.answers.get(withoutHash(url))?.tags ?? [];
      const id = decodeURIComponent(url.hash.slice(1));
      return !tags.some(({ attributes }) => attributes.id === id);
    });
    expect(wrong.map(described)).toEqual([]);
  });

  test('keeps the language, except the language switch and files without a language', () => {
    const isPage = ({ tag, url }: Link) =>
      tag.name === 'a' && isOwn(url) && site.answers.get(withoutHash(url))?.html !== '';
    const wrong = site.links.filter(
      (link) =>
        isPage(link) &&
        localeOf(link.from) !== undefined &&
        localeOf(link.url.href) !== localeOf(link.from) &&
        link.tag.attributes.hreflang === undefined,
    );
    expect(wrong.map(described)).toEqual([]);
  });
});

test.describe('a link to another site', () => {
  const leaves = ({ tag, url }: Link) => tag.name === 'a' && !isOwn(url);

  test('has the scheme https, tel, mailto or the app’s', () => {
    const wrong = distinct(leaves).filter(
      ({ url }) => !/^(https|tel|mailto|sahm):$/.test(url.protocol),
    );
    expect(wrong.map(described)).toEqual([]);
    expect(distinct(leaves).length).toBeGreaterThan(5);
  });

  test('passes no opener', () => {
    const wrong = site.links.filter(
      (link) =>
        leaves(link) &&
        link.url.protocol === 'https:' &&
        !/\b(noopener|noreferrer)\b/.test(link.tag.attributes.rel ?? ''),
    );
    expect([...new Set(wrong.map(described))]).toEqual([]);
  });

  test('is a link: pages load nothing from other sites', () => {
    const wrong = distinct(({ tag, url }) => tag.name !== 'a' && !isOwn(url));
    expect(wrong.map(described)).toEqual([]);
  });
});

test('icons of the manifest and of pages are images', async () => {
  const manifest = (await (await fetch(`${origin()}/manifest.webmanifest`)).json()) as {
    icons: { src: string; type: string }[];
  };
  expect(manifest.icons.length).toBeGreaterThan(0);
  for (const { src, type } of manifest.icons) {
    const answer = await fetch(new URL(src, origin()));
    expect([src, answer.status, answer.headers.get('content-type')]).toEqual([src, 200, type]);
  }
});
