/**
 * Serves the fixtures as whole pages, without a gateway: `npm run build`, then this, then
 * http://127.0.0.1:4173 (PREVIEW_PORT names another port). `?theme=dark` and `?platform=app`
 * change who looks.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { createInterface } from 'node:readline';
import { LOCALES } from '../src/lib/locale.ts';
import type { PagePayload, Platform, Theme } from '../src/lib/page/payload.ts';
import type { Assets } from './build/assets.ts';
import { CLIENT_DIR, inFrontend, SERVER_DIR, SITE_FILE } from './build/paths.ts';

const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

interface Answer {
  status: number;
  type: string;
  body: string | Buffer;
}

const { assets } = JSON.parse(readFileSync(SITE_FILE, 'utf8')) as { assets: Assets };
const names = readdirSync(inFrontend('fixtures'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

async function startRenderer(): Promise<string> {
  const child = spawn(process.execPath, [join(SERVER_DIR, 'renderer.js')], {
    env: { ...process.env, SAHM_RENDERER_LISTEN: '127.0.0.1:0', SAHM_RENDERER_WATCH_STDIN: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return (JSON.parse(line) as { ready: string }).ready;
}

function fixture(name: string, query: URLSearchParams): PagePayload {
  const payload = JSON.parse(
    readFileSync(inFrontend(`fixtures/${name}.json`), 'utf8'),
  ) as PagePayload;
  const { visitor } = payload;
  visitor.theme = (query.get('theme') as Theme | null) ?? visitor.theme;
  visitor.platform = (query.get('platform') as Platform | null) ?? visitor.platform;
  return payload;
}

function documentOf(payload: PagePayload, html: string): string {
  const { locale, platform, theme } = payload.visitor;
  const { tag, dir } = LOCALES[locale];
  const page = assets.pages[payload.page];
  const modules = [...(page?.preload ?? []), ...(page?.messages[locale] ?? [])];
  const { frame } = payload.document;
  const data = JSON.stringify(payload).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="${tag}" dir="${dir}" data-platform="${platform}" data-theme="${theme}" data-page="${payload.page}" data-layout="${frame?.layout}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${payload.page}</title>
<script src="${assets.scripts.early}"></script>
${page?.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('')}
${modules.map((href) => `<link rel="modulepreload" href="${href}">`).join('')}
<script type="module" src="${assets.scripts.entry}"></script>
<div id="root">${html}</div>
<script type="application/json" id="sahm-page">${data}</script>`;
}

async function answer(address: string, renderer: string): Promise<Answer> {
  const { pathname, searchParams } = new URL(address, 'http://preview');
  const name = pathname.slice(1);
  if (name === '') {
    const list = names.map((fixture) => `<li><a href="/${fixture}">${fixture}</a>`).join('');
    return { status: 200, type: 'text/html', body: `<!doctype html><ul>${list}</ul>` };
  }
  if (names.includes(name)) {
    const payload = fixture(name, searchParams);
    const body = JSON.stringify(payload);
    const rendered = await fetch(`http://${renderer}/render`, { method: 'POST', body });
    const html = await rendered.text();
    if (!rendered.ok) return { status: 500, type: 'text/plain', body: html };
    return { status: 200, type: 'text/html; charset=utf-8', body: documentOf(payload, html) };
  }
  const file = join(CLIENT_DIR, normalize(pathname));
  const type = TYPES[extname(file)];
  if (!type || !existsSync(file)) return { status: 404, type: 'text/plain', body: 'not found' };
  return { status: 200, type, body: readFileSync(file) };
}

const renderer = await startRenderer();
const port = Number(process.env.PREVIEW_PORT ?? 4173);
createServer((request, response) => {
  answer(request.url ?? '/', renderer).then(
    ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}`));
