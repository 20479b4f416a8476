import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { PageDocument, PagePayload } from '~/lib/page/payload';
import { readFixture } from '../../scripts/fixtures/store';
import { App } from './App';
import { loadErrorPage, loadWholePage } from './load';
import { RouterHost } from './navigation/RouterHost';
import { pageIdOf } from './pages';

let root: Root;
const caught = vi.fn();

beforeAll(async () => {
  await loadWholePage(pageIdOf('news'), 'en-us');
  await loadWholePage(pageIdOf('home'), 'en-us');
  await loadErrorPage('en-us');
});

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close() {}
    },
  );
  // The requests of the page do not matter here.
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  caught.mockClear();
  vi.spyOn(console, 'error').mockImplementation(() => {});
  document.body.innerHTML = '<div id="root"></div>';
});

afterEach(() => act(() => root.unmount()));

/** A document with an object in place of a text, which React cannot render. */
function broken<D extends object>(document: D, field: keyof D, item: string): PageDocument {
  const [first, ...rest] = document[field] as object[];
  return { ...document, [field]: [{ ...first, [item]: { en: 'x' } }, ...rest] } as PageDocument;
}

async function show(payload: PagePayload) {
  window.history.replaceState(null, '', payload.url);
  const host = new RouterHost(() => import('./navigation/Router'));
  root = createRoot(document.getElementById('root') as HTMLElement, { onCaughtError: caught });
  await act(async () => root.render(<App payload={payload} host={host} />));
  return host;
}

/** Follows a link to a path; the server responds with `page` and its `document`. */
async function follow(host: RouterHost, path: string, page: string, document: PageDocument) {
  vi.stubGlobal('fetch', async (url: string) =>
    url.startsWith('/_data/')
      ? Response.json({ build: readFixture('news.en-us').build, page, document })
      : new Promise(() => {}),
  );
  const link = Object.assign(window.document.createElement('a'), { href: path });
  await act(async () => {
    host.load().then((follows) => follows(link), caught);
    await vi.dynamicImportSettled();
  });
}

const shownParts = () =>
  [...document.querySelectorAll('[data-chrome]')].map((part) => part.getAttribute('data-chrome'));

test('content that throws is replaced by the error page between header and footer', async () => {
  const payload = readFixture('news.en-us');
  const good = payload.document;
  payload.document = broken(good as { articles: object[] }, 'articles', 'title');
  const host = await show(payload);
  await vi.waitFor(() => expect(document.querySelector('main h1')).not.toBeNull());
  expect(document.querySelectorAll('main')).toHaveLength(1);
  expect(document.querySelector('main h1')?.textContent).toContain('Service maintenance');
  expect(document.title).toContain('Service maintenance');
  expect(shownParts()).toEqual(expect.arrayContaining(['header', 'footer']));
  expect(caught).toHaveBeenCalledTimes(1);

  // The live region is in the document before its first text.
  const announcer = document.getElementById('sahm-announcer');
  expect(announcer?.textContent).toBe('');
  await follow(host, '/en-us/news/us', 'news-us', good);
  await vi.waitFor(() => expect(document.documentElement.dataset.page).toBe('news-us'));
  expect(window.location.pathname).toBe('/en-us/news/us');
  expect(announcer?.textContent).toBe(document.title);
  expect(document.querySelector('main h1')?.textContent).not.toContain('Service maintenance');
});

test('an optional part that throws is left out, and the rest of the page stays', async () => {
  const payload = readFixture('home.en-us');
  const heading = /<h1[^>]*>([^<]+)/;
  await show(payload);
  const [, title = ''] = heading.exec(document.body.innerHTML) ?? [];
  expect(title).not.toBe('');
  act(() => root.unmount());
  payload.document = broken(payload.document as { quotes: object[] }, 'quotes', 'name');
  await show(payload);
  expect(heading.exec(document.body.innerHTML)?.[1]).toBe(title);
  expect(shownParts()).toEqual(expect.arrayContaining(['header', 'footer']));
  expect(caught).toHaveBeenCalled();
});
