import { beforeEach, expect, test } from 'vitest';
import type { PagePayload } from '~/lib/page/payload';
import { announce, focusPage } from './focus';
import { syncHead } from './head';

const payload = (head: object): PagePayload => ({
  build: 'b',
  page: 'news',
  visitor: { locale: 'en-us', platform: 'pc', theme: 'auto' },
  url: '/en-us/news',
  document: { frame: { layout: 'app', head } },
});

beforeEach(() => {
  document.head.innerHTML = `
    <title>Old</title>
    <meta name="description" content="old">
    <meta name="robots" content="noindex">
    <meta property="og:title" content="Old">
    <link rel="canonical" href="https://sahm.example/en-us">
    <link rel="alternate" hreflang="en-us" href="https://sahm.example/en-us">
    <link rel="icon" href="/favicon.ico">
    <script type="application/ld+json">{"old":1}</script>`;
  document.body.innerHTML = '<main id="main"><h1>News</h1><p id="part">x</p></main>';
});

test('the head becomes that of the new page', () => {
  const head = {
    title: 'News | Sahm',
    description: 'New',
    canonical: 'https://sahm.example/en-us/news',
    alternates: [{ hreflang: 'ar-sa', href: 'https://sahm.example/ar-sa/news' }],
    ogType: 'website',
    jsonLd: ['{"new":1}'],
  };
  syncHead(document, payload(head));
  expect(document.title).toBe('News | Sahm');
  expect(document.documentElement.dataset).toMatchObject({ page: 'news', layout: 'app' });
  const content = (selector: string) =>
    document.head.querySelector(selector)?.getAttribute('content');
  expect(content('meta[name="description"]')).toBe('New');
  expect(content('meta[property="og:title"]')).toBe('News | Sahm');
  expect(content('meta[property="og:url"]')).toBe('https://sahm.example/en-us/news');
  expect(document.head.querySelector('meta[name="robots"]')).toBeNull();
  const links = [...document.head.querySelectorAll('link')].map((link) => link.outerHTML);
  expect(links).toEqual([
    '<link rel="icon" href="/favicon.ico">',
    '<link rel="canonical" href="https://sahm.example/en-us/news">',
    '<link rel="alternate" hreflang="ar-sa" href="https://sahm.example/ar-sa/news">',
  ]);
  const scripts = [...document.head.querySelectorAll('script')].map(
    ({ textContent }) => textContent,
  );
  expect(scripts).toEqual(['{"new":1}']);
});

test.each([
  ['https://sahm.example/media/a.png', ['https://sahm.example/media/a.png']],
  [undefined, []],
])('the pictures of a page with %s are %s', (ogImage, expected) => {
  syncHead(document, payload({ title: 'Before', ogImage: 'https://sahm.example/media/old.png' }));
  syncHead(document, payload({ title: 'Now', ...(ogImage && { ogImage }) }));
  const pictures = [
    ...document.head.querySelectorAll<HTMLMetaElement>('meta[property="og:image"]'),
  ];
  expect(pictures.map(({ content }) => content)).toEqual(expected);
});

test('a page without canonical has none', () => {
  syncHead(document, payload({ title: 'Not found', noindex: true }));
  expect(document.head.querySelector('link[rel="canonical"], link[hreflang]')).toBeNull();
  expect(document.head.querySelector('meta[name="robots"]')?.getAttribute('content')).toBe(
    'noindex',
  );
});

test.each([
  ['', 'H1'],
  ['#part', 'P'],
  ['#missing', 'H1'],
  ['#%E0%A4%A', 'H1'],
])('the focus goes to what %s names', (hash, tag) => {
  focusPage(document, hash);
  expect(document.activeElement?.tagName).toBe(tag);
});

test('the title is announced politely, in one place', () => {
  document.body.innerHTML = '<div id="sahm-announcer" aria-live="polite"></div>';
  announce(document, 'One');
  announce(document, 'Two');
  const regions = document.querySelectorAll('[aria-live="polite"]');
  expect([...regions].map(({ textContent }) => textContent)).toEqual(['Two']);
});
