/**
 * Draws the files of `public/`: icons, the manifest, and the picture that links to the site show.
 * Their colours are those of src/styles/tokens.css. Run by hand when the mark changes: needs a
 * Chromium.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium } from '@playwright/test';
import { MARK_FAR, MARK_NEAR } from '../src/ui/mark-paths.ts';
import { inFrontend } from './build/paths.ts';

const NIGHT = '#0b1529';
const SAND = '#f4ede1';
const COPPER = '#d9954f';
const DEEP = '#122140';
const MARK = `<path fill="${COPPER}" d="${MARK_NEAR}"/><path fill="${SAND}" d="${MARK_FAR}"/>`;

const PUBLIC = inFrontend('public');

async function main() {
  mkdirSync(PUBLIC, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    await draw(browser);
  } finally {
    await browser.close();
  }
}

async function draw(browser: Browser) {
  const save = (name: string, content: string | Buffer) =>
    writeFileSync(`${PUBLIC}/${name}`, content);
  const png = (size: number, svg: string) => picture(browser, size, size, svg);

  save('icon.svg', tile(0.22, 0.7));
  const small = await Promise.all([16, 32, 48].map((size) => png(size, tile(0.2, 0.78))));
  save('favicon.ico', ico([16, 32, 48], small));
  save('apple-touch-icon.png', await png(180, tile(0, 0.6)));
  save('icon-192.png', await png(192, tile(0.22, 0.66)));
  save('icon-512.png', await png(512, tile(0.22, 0.66)));
  // Cut to any shape by the system: the mark keeps to the middle.
  save('icon-maskable-512.png', await png(512, tile(0, 0.5)));
  save('og-image.png', await picture(browser, 1200, 630, card()));
  save('manifest.webmanifest', `${JSON.stringify(manifest(), null, 2)}\n`);
}

/** The mark on the night; `round` and `part` are shares of the side. */
function tile(round: number, part: number): string {
  const scale = part * 2;
  const shift = 32 - 16 * scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="${64 * round}" fill="${NIGHT}"/><g transform="translate(${shift} ${shift}) scale(${scale})">${MARK}</g></svg>\n`;
}

/** What a link to the site shows elsewhere: the mark, and the name in both scripts. */
function card(): string {
  const near = triangles(1200, 24, 14, 630);
  const far = triangles(1200, 48, 28, 630);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="${NIGHT}"/>
<path fill="${DEEP}" opacity=".7" d="M1290-30H840l225 225zM977 282H665l156 156z"/>
<path fill="#08101f" d="M1290-30v450l-225-225zM977 282v312L821 438z"/>
<path fill="#1c3159" d="${far}"/><path fill="#cdb994" d="${near}"/>
<g transform="translate(96 168) scale(6.6)">${MARK}</g>
<g fill="${SAND}" font-family="Site" font-weight="680">
<text x="360" y="330" font-size="128" letter-spacing="-3">Sahm</text>
<text x="760" y="330" font-size="128" direction="rtl" text-anchor="end">سهم</text>
</g></svg>`;
}

function triangles(width: number, side: number, height: number, bottom: number): string {
  const count = Math.ceil(width / side);
  const peak = side * 0.625;
  return Array.from(
    { length: count },
    (_, i) => `M${i * side} ${bottom}l${peak}-${height} ${side - peak} ${height}z`,
  ).join('');
}

async function picture(
  browser: Browser,
  width: number,
  height: number,
  svg: string,
): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  const style = `${['latin', 'arabic'].map(fontFace).join('')}body{margin:0}svg{display:block;width:100vw;height:100vh}`;
  await page.setContent(`<!doctype html><style>${style}</style>${svg}`);
  await page.evaluate(() => document.fonts.ready);
  const shot = await page.screenshot({ omitBackground: true });
  await page.close();
  return shot;
}

function fontFace(script: string): string {
  const file = createRequire(import.meta.url).resolve(
    `@fontsource-variable/alexandria/files/alexandria-${script}-wght-normal.woff2`,
  );
  const range = script === 'arabic' ? 'U+600-6FF' : 'U+0-FF';
  const data = readFileSync(file).toString('base64');
  return `@font-face{font-family:Site;font-weight:100 900;unicode-range:${range};src:url(data:font/woff2;base64,${data})}`;
}

/** An .ico that holds PNG files as they are. */
function ico(sizes: number[], pngs: Buffer[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pngs.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pngs.length, 4);
  let offset = head.length;
  pngs.forEach((png, i) => {
    const at = 6 + 16 * i;
    head.writeUInt8(sizes[i] ?? 0, at);
    head.writeUInt8(sizes[i] ?? 0, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  });
  return Buffer.concat([head, ...pngs]);
}

function manifest() {
  const icon = (name: string, size: number, purpose: string) => ({
    src: `/${name}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return {
    name: 'Sahm سهم',
    short_name: 'Sahm',
    start_url: '/',
    display: 'browser',
    background_color: NIGHT,
    theme_color: NIGHT,
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('icon-maskable-512.png', 512, 'maskable'),
    ],
  };
}

await main();
