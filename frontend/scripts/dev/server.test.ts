import { utimesSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { HotPayload, ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inFrontend } from '../build/paths.ts';
import { devServer } from './server.ts';

let server: ViteDevServer;
let origin: string;

beforeAll(async () => {
  server = await devServer({ port: 0 });
  origin = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
}, 30_000);

afterAll(() => server.close());

async function get(path: string, accept = 'text/html') {
  const answer = await fetch(origin + path, { headers: { accept } });
  return { status: answer.status, text: await answer.text() };
}

test.each([
  { path: '/en-us', lang: 'en-US', dir: 'ltr' },
  { path: '/ar-sa/news', lang: 'ar-SA', dir: 'rtl' },
])('$path is rendered on the server with its styles', async ({ path, lang, dir }) => {
  const { status, text } = await get(path);
  expect(status).toBe(200);
  const wanted = [
    `<html lang="${lang}" dir="${dir}"`,
    '/src/styles/tokens.css">',
    '--surface:',
    '/@vite/client',
    '<h1',
  ];
  // Keeps whole documents out of failure reports.
  expect(wanted.filter((part) => !text.includes(part))).toEqual([]);
});

test('the style sheets of a rendered page contain the classes of its HTML', async () => {
  const { text } = await get('/en-us');
  const skipLink = /<a href="#main" class="([\w-]+)"/.exec(text)?.[1];
  expect(skipLink).toBeDefined();
  expect(text.includes(`.${skipLink} {`)).toBe(true);
});

test('?fixture= chooses another state of a page', async () => {
  const [plain, bare] = [await get('/en-us'), await get('/en-us?fixture=home.bare.en-us')];
  expect(bare.status).toBe(200);
  expect(bare.text.length).toBeLessThan(plain.text.length);
});

test('page data is there for navigation in the browser', async () => {
  const { status, text } = await get('/_data/en-us/news', 'application/json');
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({ page: 'news', document: { frame: { page: 'news' } } });
});

test('a page without a fixture is 404 and names those that there are', async () => {
  const { status, text } = await get('/en-us/no-such-page');
  expect(status).toBe(404);
  expect(text.includes('/en-us?fixture=home.en-us')).toBe(true);
});

test('a component is served so that it is replaced in place', async () => {
  const { text } = await get('/src/app/App.tsx', '*/*');
  expect(text.includes('import.meta.hot') && text.includes('$RefreshReg$')).toBe(true);
});

/** Saves a file and returns whether the server sends an update of it to the open page within a second. */
async function isReplaced(page: WebSocket, file: string): Promise<boolean> {
  const replaced = new Promise<boolean>((resolve) => {
    page.addEventListener('message', ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as HotPayload;
      const paths = message.type === 'update' ? message.updates.map(({ path }) => path) : [];
      if (paths.includes(file)) resolve(true);
    });
  });
  utimesSync(inFrontend(file.slice(1)), new Date(), new Date());
  return Promise.race([replaced, setTimeout(1_000, false)]);
}

test.each(['/src/ui/Badge.tsx', '/src/styles/tokens.css'])(
  'an open page replaces %s within a second after it was saved',
  async (file) => {
    await get(file, '*/*');
    const query = `?token=${server.config.webSocketToken}`;
    const page = new WebSocket(`${origin.replace('http', 'ws')}/${query}`, 'vite-hmr');
    await new Promise((opened) => page.addEventListener('open', opened));
    // A busy machine may exceed the time limit, but not on every attempt.
    const isInTime =
      (await isReplaced(page, file)) ||
      (await isReplaced(page, file)) ||
      (await isReplaced(page, file));
    page.close();
    expect(isInTime).toBe(true);
  },
);
