/**
 * Visual regression test: compares positions and colours of the parts of every page with
 * `layout/*.txt`; `--write` updates these files. The built renderer renders `fixtures/`, which have
 * a fixed clock and fixed prices, in both languages, at two widths and in both themes. Boxes are
 * compared instead of pixels, because each version of Chromium and of its font rasteriser draws
 * edges differently.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from '@playwright/test';
import { LAUNCH_OPTIONS } from '../e2e/browser.ts';
import { LOCALE_IDS } from '../src/lib/locale.ts';
import type { PagePayload } from '../src/lib/page/payload.ts';
import { CLIENT_DIR, inFrontend, SITE_FILE } from './build/paths.ts';
import { documentOf } from './dev/document.ts';
import { fixtureNames, readFixture } from './fixtures/store.ts';
import { differences } from './layout/differences.ts';

const FOLDER = inFrontend('layout');
const ORIGIN = 'http://layout.invalid';
/** A phone and a PC; the page data has the same platform. */
const VIEWS = [
  { platform: 'mobile', width: 390, height: 844 },
  { platform: 'pc', width: 1440, height: 900 },
] as const;
/** The visible structure of a page: landmarks, headings, and the boxes around content. */
const PARTS =
  'header,nav,main,aside,footer,section,article,form,table,figure,h1,h2,h3,button,[class*="button"],[data-chrome]';
const MAX_REPORTED = 8;

interface Site {
  assets: { pages: Record<string, { styles: string[] }> };
}

async function main() {
  const isWriting = process.argv.includes('--write');
  const { assets } = JSON.parse(readFileSync(SITE_FILE, 'utf8')) as Site;
  const pages = Object.keys(assets.pages).flatMap((page) =>
    LOCALE_IDS.map((locale) => `${page}.${locale}`),
  );
  const names = fixtureNames();
  if (isWriting) rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const renderer = await startRenderer();
  const browser = await chromium.launch(LAUNCH_OPTIONS);
  const changed: string[] = [];
  try {
    for (const name of pages.filter((each) => names.includes(each))) {
      const lines = await linesOf(browser, renderer.origin, name, assets);
      const file = join(FOLDER, `${name}.txt`);
      if (isWriting) writeFileSync(file, `${lines.join('\n')}\n`);
      else changed.push(...reportOf(name, file, lines));
    }
  } finally {
    renderer.stop();
    await browser.close();
  }
  if (changed.length === 0) return;
  console.error(changed.join('\n'));
  console.error('The layout differs. Look at the pages; npm run layout -- --write accepts them.');
  process.exitCode = 1;
}

function reportOf(name: string, file: string, lines: readonly string[]): string[] {
  const before = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const found = differences(before, lines);
  const more = found.length - MAX_REPORTED;
  return found.length === 0
    ? []
    : [`${name}:`, ...found.slice(0, MAX_REPORTED), ...(more > 0 ? [`  and ${more} more`] : [])];
}

/** Starts the built renderer as a separate process. */
async function startRenderer() {
  const child = spawn(process.execPath, [inFrontend('dist/server/renderer.js')], {
    env: { PATH: process.env.PATH, SAHM_RENDERER_LISTEN: '127.0.0.1:0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { origin: `http://${JSON.parse(line).ready}`, stop: () => child.kill('SIGKILL') };
}

/** Disables transitions, because colours are read immediately after the theme changes. */
const STILL = {
  id: 'still',
  css: '*, ::before, ::after { transition: none !important; animation: none !important; }',
};

/** A line per part of a page, the phone's before the PC's. */
async function linesOf(
  browser: Browser,
  renderer: string,
  name: string,
  assets: Site['assets'],
): Promise<string[]> {
  const fixture = readFixture(name);
  const lines: string[] = [];
  for (const { platform, ...viewport } of VIEWS) {
    const visitor = { ...fixture.visitor, platform, theme: 'auto' as const };
    const payload: PagePayload = { ...fixture, visitor };
    const answer = await fetch(`${renderer}/render`, {
      method: 'POST',
      body: JSON.stringify(payload),
    });
    if (!answer.ok) throw new Error(`${name}: the renderer answered ${answer.status}`);
    const html = documentOf(payload, await answer.text(), sheetsOf(assets, fixture.page));
    const page = await browser.newPage({ viewport, javaScriptEnabled: false });
    await open(page, html);
    const [light, dark] = [await partsOf(page, 'light'), await partsOf(page, 'dark')];
    lines.push(
      ...light.map((part, i) => `${viewport.width} ${part} ${dark[i]?.split(' ').at(-1)}`),
    );
    await page.close();
  }
  return lines;
}

function sheetsOf(assets: Site['assets'], page: string) {
  const styles = assets.pages[page]?.styles ?? [];
  const sheets = styles.map((id) => {
    const css = readFileSync(join(CLIENT_DIR, id), 'utf8');
    // A page must not be measured in its fallback font on a slow machine.
    return { id, css: css.replaceAll('font-display:optional', 'font-display:block') };
  });
  return [...sheets, STILL];
}

/** Opens a document with the build's fonts; all other requests fail. */
async function open(page: Page, html: string) {
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: html });
    if (!pathname.endsWith('.woff2')) return route.abort();
    return route.fulfill({ path: join(CLIENT_DIR, pathname), contentType: 'font/woff2' });
  });
  await page.goto(ORIGIN, { waitUntil: 'load' });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/** `TAG WORDS X,Y WIDTH×HEIGHT INK/GROUND` of each visible part, in document order. */
async function partsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  return page.evaluate((selector) => {
    const hex = (colour: string) => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+/g) ?? []).map(Number);
      if (alpha === 0) return '-';
      return [red, green, blue]
        .map((part) => Math.round(part).toString(16).padStart(2, '0'))
        .join('');
    };
    return [...document.querySelectorAll(selector)].flatMap((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      if (width * height === 0) return [];
      const { color, backgroundColor } = getComputedStyle(element);
      const tag = element.localName;
      const isNamed = /^(?:h\d|button|a)$/.test(tag);
      const words = (isNamed ? (element.textContent ?? '') : '').trim().slice(0, 24);
      const label = words.replaceAll(/\s+/g, '_') || (element.getAttribute('data-chrome') ?? '-');
      const [left, top, wide, high] = [x, y, width, height].map(Math.round);
      return `${tag} ${label} ${left},${top} ${wide}×${high} ${hex(color)}/${hex(backgroundColor)}`;
    });
  }, PARTS);
}

await main();
