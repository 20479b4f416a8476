/**
 * Draws the icons of `public/` and writes the manifest, in the colours of src/styles/tokens.css. Run
 * by hand when the logo changes; needs Chromium.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import { LAUNCH_OPTIONS } from '../e2e/browser.ts';
import { MARK_FAR, MARK_NEAR } from '../src/ui/mark-paths.ts';
import { inFrontend } from './build/paths.ts';

const NIGHT = '#0b1529';
const SAND = '#f4ede1';
const COPPER = '#d9954f';
const MARK = `<path fill="${COPPER}" d="${MARK_NEAR}"/><path fill="${SAND}" d="${MARK_FAR}"/>`;

const PUBLIC = inFrontend('public');

async function main() {
  mkdirSync(PUBLIC, { recursive: true });
  const browser = await chromium.launch(LAUNCH_OPTIONS);
  const save = (name: string, content: string | Buffer) =>
    writeFileSync(`${PUBLIC}/${name}`, content);
  const png = (size: number, svg: string) => picture(browser, size, size, svg);

  save('icon.svg', tile(0.22, 0.7));
  const small = await Promise.all([16, 32, 48].map((size) => png(size, tile(0.2, 0.78))));
  save('favicon.ico', ico([16, 32, 48], small));
  save('apple-touch-icon.png', await png(180, tile(0, 0.6)));
  save('icon-192.png', await png(192, tile(0.22, 0.66)));
  save('icon-512.png', await png(512, tile(0.22, 0.66)));
  // The system masks this icon with any shape, so the mark stays near the centre.
  save('icon-maskable-512.png', await png(512, tile(0, 0.5)));
  save('manifest.webmanifest', `${JSON.stringify(manifest(), null, 2)}\n`);
  await browser.close();
}

/**
 * The mark on the night background; `round` (corner radius) and `part` (mark) are fractions of the
 * side.
 */
function tile(round: number, part: number): string {
  const scale = part * 2;
  const shift = 32 - 16 * scale;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="${64 * round}" fill="${NIGHT}"/><g transform="translate(${shift} ${shift}) scale(${scale})">${MARK}</g></svg>\n`;
}

async function picture(
  browser: Browser,
  width: number,
  height: number,
  svg: string,
): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  const style = 'body{margin:0}svg{display:block;width:100vw;height:100vh}';
  await page.setContent(`<!doctype html><style>${style}</style>${svg}`);
  const shot = await page.screenshot({ omitBackground: true });
  await page.close();
  return shot;
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
