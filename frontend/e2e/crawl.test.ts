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
import { isDate, wrongIn } from './schema-org.ts';
import { origin } from './site.ts';
import { expect, test } from './test.ts';

/** Everything that both homes lead to, crawled once for all tests of this file. */
let site: Crawl;
let pages: CrawledPage[];

/** A page under its own address. */
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

function read({ finalUrl, html, tags }: CrawledAddress): CrawledPage {
  const meta = (name: string) =>
    tags.find(({ attributes }) => attributes.name === name)?.attributes.content ?? '';
  const links = tags.filter(({ name }) => name === 'link').map(({ attributes }) => attributes);
  return {
    url: finalUrl,
    title: titleOf(html),
    heading: headingOf(html),
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

/** Pages that searchers may find, each under its canonical address. */
const indexed = () => [
  ...new Map(
    pages
      .filter(({ noindex, url, canonical }) => !noindex && canonical === url)
      .map((page) => [page.url, page]),
  ).values(),
];

test.describe('of every page that may be indexed', () => {
  test('there are many, in both languages', () => {
    for (const locale of ['en-us', 'ar-sa']) {
      expect(indexed().filter(({ url }) => localeOf(url) === locale).length).toBeGreaterThan(100);
    }
  });

  test(`the title ends with the brand and exceeds ${MAX_TITLE_LENGTH} characters by a headline only`, () => {
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

  test(`the description has ${MIN_DESCRIPTION_LENGTH} to ${MAX_DESCRIPTION_LENGTH} characters`, () => {
    const wrong = indexed().filter(({ description }) => {
      const { length } = [...description];
      return length < MIN_DESCRIPTION_LENGTH || length > MAX_DESCRIPTION_LENGTH;
    });
    expect(
      wrong.map(({ url, description }) => `${[...description].length} ${url} ${description}`),
    ).toEqual([]);
  });

  for (const field of ['title', 'description'] as const)
    test(`the ${field} is no other page’s`, () => {
      const seen = new Map<string, string[]>();
      for (const page of indexed()) {
        const text = `${localeOf(page.url)} ${page[field]}`;
        seen.set(text, [...(seen.get(text) ?? []), page.url]);
      }
      expect([...seen].filter(([, urls]) => urls.length > 1)).toEqual([]);
    });

  test('the other language names it back', () => {
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

  test('x-default is the English page', () => {
    const wrong = indexed().filter(
      ({ alternates }) => alternates.get('x-default') !== alternates.get('en-us'),
    );
    expect(wrong.map(({ url }) => url)).toEqual([]);
  });
});

test('a canonical address is one of this site that names itself', () => {
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  const wrong = pages.filter(
    ({ canonical }) => canonical !== '' && byUrl.get(canonical)?.canonical !== canonical,
  );
  expect(wrong.map(({ url, canonical }) => `${url} → ${canonical}`)).toEqual([]);
});

test.describe('structured data', () => {
  const objects = () =>
    pages.flatMap(({ url, jsonLd }) => jsonLd.map((text) => ({ url, data: JSON.parse(text) })));

  test('has what its type needs', () => {
    const wrong = objects().flatMap(({ url, data }) =>
      wrongIn(data).map((fault) => `${url}: ${fault}`),
    );
    expect(wrong).toEqual([]);
    const types = new Set(objects().map(({ data }) => (data as { '@type': string })['@type']));
    for (const type of ['WebSite', 'Organization', 'NewsArticle', 'BreadcrumbList']) {
      expect(types).toContain(type);
    }
  });

  test('names addresses of this site that answer', async () => {
    const named = new Set(objects().flatMap(({ data }) => addressesIn(data)));
    expect(named.size).toBeGreaterThan(100);
    const wrong: string[] = [];
    for (const address of named) {
      const answer = site.answers.get(address) ?? (await follow(address));
      if (!isOwn(new URL(address)) || answer.status !== 200) wrong.push(address);
    }
    expect(wrong).toEqual([]);
  });

  test('names the language in which the text is, as the canonical address does', () => {
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

/** Every address in an object but that of the vocabulary. */
function addressesIn(value: unknown): string[] {
  if (typeof value === 'string') return /^https?:\/\//.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '@context' ? [] : addressesIn(inner),
  );
}

const told = ({ from, tag, url }: Link) => `${from}: <${tag.name}> ${url.href}`;
const documents = () => [...site.answers.values()].filter(({ html }) => html !== '');

/** Each link once, with one page that has it. */
function distinct(wanted: (link: Link) => boolean): Link[] {
  return [...new Map(site.links.filter(wanted).map((link) => [link.url.href, link])).values()];
}

test('both languages are reached, in all their pages', () => {
  for (const locale of ['en-us', 'ar-sa'] as const) {
    const own = documents().filter(({ finalUrl }) => localeOf(finalUrl) === locale);
    expect(own.length).toBeGreaterThan(100);
    const kinds = new Set(own.map(({ tags }) => tags[0]?.attributes['data-page']));
    // All that is public and has a link: the rest of routes.json is reached by campaigns and apps.
    expect(kinds.size).toBeGreaterThan(30);
  }
});

test.describe('a link to this site', () => {
  test('answers 200, or a redirect that ends there', () => {
    const wrong = distinct(({ url }) => isOwn(url)).filter(({ tag, url }) => {
      // A call that takes a form knows no GET.
      const wanted = tag.attributes.method?.toLowerCase() === 'post' ? 405 : 200;
      return site.answers.get(withoutHash(url))?.status !== wanted;
    });
    expect(wrong.map(told)).toEqual([]);
  });

  test('is redirected only from a campaign of another environment', () => {
    const redirected = [...site.answers.values()].filter(({ hops }) => hops.length > 0);
    const paths = new Set(redirected.map(({ url }) => new URL(url).pathname));
    expect([...paths].sort()).toEqual(['/ar-sa/activity/seed', '/en-us/activity/seed']);
  });

  test('with a fragment names a place of the page', () => {
    const wrong = distinct(({ url }) => isOwn(url) && url.hash.length > 1).filter(({ url }) => {
      const tags = site.answers.get(withoutHash(url))?.tags ?? [];
      const id = decodeURIComponent(url.hash.slice(1));
      return !tags.some(({ attributes }) => attributes.id === id);
    });
    expect(wrong.map(told)).toEqual([]);
  });

  test('keeps the language, but for the language switch and what has none', () => {
    const isPage = ({ tag, url }: Link) =>
      tag.name === 'a' && isOwn(url) && site.answers.get(withoutHash(url))?.html !== '';
    const wrong = site.links.filter(
      (link) =>
        isPage(link) &&
        localeOf(link.from) !== undefined &&
        localeOf(link.url.href) !== localeOf(link.from) &&
        link.tag.attributes.hreflang === undefined,
    );
    expect(wrong.map(told)).toEqual([]);
  });
});

test.describe('a link that leaves this site', () => {
  const leaves = ({ tag, url }: Link) => tag.name === 'a' && !isOwn(url);

  test('is https, a number, an email or the app’s', () => {
    const wrong = distinct(leaves).filter(
      ({ url }) => !/^(https|tel|mailto|sahm):$/.test(url.protocol),
    );
    expect(wrong.map(told)).toEqual([]);
    expect(distinct(leaves).length).toBeGreaterThan(5);
  });

  test('hands no opener on', () => {
    const wrong = site.links.filter(
      (link) =>
        leaves(link) &&
        link.url.protocol === 'https:' &&
        !/\b(noopener|noreferrer)\b/.test(link.tag.attributes.rel ?? ''),
    );
    expect([...new Set(wrong.map(told))]).toEqual([]);
  });

  test('is the only thing that comes from elsewhere', () => {
    const wrong = distinct(({ tag, url }) => tag.name !== 'a' && !isOwn(url));
    expect(wrong.map(told)).toEqual([]);
  });
});

test('the manifest’s icons and the icons of pages are pictures', async () => {
  const manifest = (await (await fetch(`${origin()}/manifest.webmanifest`)).json()) as {
    icons: { src: string; type: string }[];
  };
  expect(manifest.icons.length).toBeGreaterThan(0);
  for (const { src, type } of manifest.icons) {
    const answer = await fetch(new URL(src, origin()));
    expect([src, answer.status, answer.headers.get('content-type')]).toEqual([src, 200, type]);
  }
});
