import { beforeAll, describe, expect, test } from 'vitest';
import { type Crawl, crawl, isOwn, type Link, localeOf, withoutHash } from './crawl.ts';
import { origin } from './site.ts';

let site: Crawl;

beforeAll(async () => {
  site = await crawl();
}, 240_000);

const told = ({ from, tag, url }: Link) => `${from}: <${tag.name}> ${url.href}`;
const pages = () => [...site.answers.values()].filter(({ html }) => html !== '');

/** Each link once, with one page that has it. */
function distinct(wanted: (link: Link) => boolean): Link[] {
  return [...new Map(site.links.filter(wanted).map((link) => [link.url.href, link])).values()];
}

test('both languages are reached, in all their pages', () => {
  for (const locale of ['en-us', 'ar-sa'] as const) {
    const own = pages().filter(({ finalUrl }) => localeOf(finalUrl) === locale);
    expect(own.length).toBeGreaterThan(100);
    const kinds = new Set(own.map(({ tags }) => tags[0]?.attributes['data-page']));
    // All that is public and has a link: the rest of routes.json is reached by campaigns and apps.
    expect(kinds.size).toBeGreaterThan(30);
  }
});

describe('a link to this site', () => {
  test('answers 200, or a redirect that ends there', () => {
    const wrong = distinct(({ url }) => isOwn(url)).filter(({ tag, url }) => {
      // A call that takes a form knows no GET.
      const wanted = tag.attributes.method?.toLowerCase() === 'post' ? 405 : 200;
      return site.answers.get(withoutHash(url))?.status !== wanted;
    });
    expect(wrong.map(told)).toEqual([]);
  });

  test('is redirected only where the contract says so', () => {
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

describe('a link that leaves this site', () => {
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
