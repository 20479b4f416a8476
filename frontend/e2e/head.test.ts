import { beforeAll, describe, expect, test } from 'vitest';
import { LOCALES } from '../src/lib/locale.ts';
import { type Answer, type Crawl, crawl, follow, isOwn, localeOf } from './crawl.ts';
import { headingOf, jsonLdOf, titleOf } from './html.ts';
import { isDate, wrongIn } from './schema-org.ts';

let site: Crawl;
let pages: Page[];

/** A page under its own address. */
interface Page {
  url: string;
  title: string;
  heading: string;
  description: string;
  canonical: string;
  alternates: ReadonlyMap<string, string>;
  noindex: boolean;
  jsonLd: string[];
}

const TITLE_MOST = 65;
const DESCRIPTION_LEAST = 50;
const DESCRIPTION_MOST = 160;

beforeAll(async () => {
  site = await crawl();
  pages = [...site.answers.values()].filter(({ html }) => html !== '').map(read);
}, 240_000);

function read({ finalUrl, html, tags }: Answer): Page {
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

describe('of every page that may be indexed', () => {
  test('there are many, in both languages', () => {
    for (const locale of ['en-us', 'ar-sa']) {
      expect(indexed().filter(({ url }) => localeOf(url) === locale).length).toBeGreaterThan(100);
    }
  });

  test(`the title ends with the brand and exceeds ${TITLE_MOST} characters by a headline only`, () => {
    const isHome = (url: string) => /\/(en-us|ar-sa)$/.test(url);
    const wrong = indexed().filter(({ url, title, heading }) => {
      const end = title.lastIndexOf(' | ');
      const brand = localeOf(url) === 'ar-sa' ? 'سهم' : 'Sahm';
      const isBranded = isHome(url) || title.slice(Math.max(end, 0)).includes(brand);
      const isLong = [...title].length > TITLE_MOST;
      return !isBranded || (isLong && !title.startsWith(`${heading} | `));
    });
    expect(wrong.map(({ url, title }) => `${[...title].length} ${url} ${title}`)).toEqual([]);
  });

  test(`the description has ${DESCRIPTION_LEAST} to ${DESCRIPTION_MOST} characters`, () => {
    const wrong = indexed().filter(({ description }) => {
      const { length } = [...description];
      return length < DESCRIPTION_LEAST || length > DESCRIPTION_MOST;
    });
    expect(
      wrong.map(({ url, description }) => `${[...description].length} ${url} ${description}`),
    ).toEqual([]);
  });

  test.each(['title', 'description'] as const)('the %s is no other page’s', (field) => {
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

describe('structured data', () => {
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

test.each([
  ['2026-11-21T09:00:00Z', true],
  ['2026-11-21', true],
  ['21/11/2026', false],
  ['', false],
])('%s is a date: %s', (text, expected) => {
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
