/**
 * Draws the social images (`og:image`), `public/og-{page}.{locale}.png`: a page's heading and
 * description with its product drawings. Run by hand after these change: `npm run social-images`;
 * needs Chromium. The texts of the images are saved in `social-images.json`, which a unit test
 * compares with the pages.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import { hydrated, LAUNCH_OPTIONS } from '../e2e/browser.ts';
import { PATHS } from '../src/gen/routes.ts';
import { LOCALE_IDS, LOCALES } from '../src/lib/locale.ts';
import { MARK_FAR, MARK_NEAR } from '../src/ui/mark-paths.ts';
import { inFrontend } from './build/paths.ts';
import { DRAWN_PAGES, socialImageOf } from './build/social-images.ts';
import { devServer } from './dev/server.ts';
import { Catalogues } from './messages/catalogues.ts';

const PORT = Number(process.env.DEV_PORT ?? 5174);
const SIZE = { width: 1200, height: 630 };
/**
 * Maximum number of drawings beside a heading: one fills the space, more form a grid of three
 * columns.
 */
const MAX_DRAWINGS = 9;
const MARK = `<svg class="mark" viewBox="0 0 32 32"><path class="near" d="${MARK_NEAR}"/><path class="far" d="${MARK_FAR}"/></svg>`;

const STYLE = `
  .card { --font-image: Alexandria, 'Alexandria Arabic'; color-scheme: dark; position: fixed; inset: 0; z-index: 99; display: grid;
    grid-template-columns: 1fr 400px; grid-template-rows: 56px 1fr; gap: 40px 56px;
    padding: 64px 72px 88px; background: #0b1529; color: #f4ede1; }
  .card::after { content: ""; position: absolute; inset-inline: 0; bottom: 0; height: 20px;
    background: #cdb994; --tooth: conic-gradient(from 135deg at 50% 0, #000 90deg, #0000 0) 50% 0 / 32px 100%;
    mask: var(--tooth); }
  .brand { grid-column: 1 / -1; display: flex; align-items: center; gap: 18px; font: 680 34px/1 var(--font-image); }
  .brand svg { width: 52px; height: 52px; }
  [dir="rtl"] .mark { transform: scaleX(-1); }
  .near { fill: #d9954f; } .far { fill: #f4ede1; }
  .words { align-self: center; }
  .title { font: 700 60px/1.12 var(--font-image); text-wrap: balance; margin: 0; }
  .text { font: 400 27px/1.45 var(--font-image); color: #b6bdcb; margin: 24px 0 0; text-wrap: pretty; }
  [dir="rtl"] .title { line-height: 1.4; } [dir="rtl"] .text { line-height: 1.7; margin-top: 16px; }
  .art { display: grid; align-items: center; gap: 28px 20px; }
  .art.many { grid-template-columns: repeat(3, 1fr); align-content: center; }
  .art svg { display: block; width: 100%; height: auto; max-height: 320px; }
  .art.none svg { width: 300px; margin: auto; }
`;

async function main() {
  for (const file of readdirSync(inFrontend('public'))) {
    if (file.startsWith('og-')) rmSync(inFrontend(`public/${file}`));
  }
  const catalogues = new Catalogues(inFrontend('messages'));
  const server = await devServer({ port: PORT });
  const browser = await chromium.launch(LAUNCH_OPTIONS);
  const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' });
  // The development server compiles a page's modules on its first request.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const texts: Record<string, Awaited<ReturnType<typeof compose>>> = {};
  try {
    for (const id of DRAWN_PAGES) {
      for (const locale of LOCALE_IDS) {
        await page.goto(`http://127.0.0.1:${PORT}/${locale}${PATHS[id].replace(/\/\{.*/, '')}`);
        // The first visit caches the fonts; the second shows them from its first paint.
        await page.reload();
        await hydrated(page);
        const file = socialImageOf(id, locale);
        const { [`${id}.description`]: description = '' } = catalogues.texts(locale, 'head');
        texts[file] = await compose(page, LOCALES[locale].dir, description);
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        await page.screenshot({ path: inFrontend(`public/${file}`) });
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
  writeFileSync(inFrontend('scripts/social-images.json'), `${JSON.stringify(texts, null, 2)}\n`);
}

/** Covers the open page with the image of its content; returns the texts in it. */
function compose(page: Page, dir: string, text: string) {
  return page.evaluate(
    ({ dir, text, style, mark, max }) => {
      const textOf = (element: Element | null) => element?.textContent?.trim() ?? '';
      const title = textOf(document.querySelector('h1'));
      if (!title) throw new Error(`${location} has no heading`);
      const name = textOf(document.querySelector('[data-chrome="header"] a[href]'));
      const isProduct = /^\/[^/]+\/invest\/./.test(location.pathname);
      const isOverview = location.pathname.endsWith('/invest');
      const found = [...document.querySelectorAll('main svg[data-product]')];
      const drawings = isProduct ? found.slice(0, 1) : isOverview ? found.slice(0, max) : [];
      const arrangement = ['none', 'one'][drawings.length] ?? 'many';
      const card = document.createElement('div');
      card.className = 'card';
      card.dir = dir;
      card.innerHTML = `<style>${style}</style><div class="brand">${mark}<span></span></div>
        <div class="words"><p class="title"></p><p class="text"></p></div><div class="art ${arrangement}"></div>`;
      const put = (selector: string, words: string) => {
        const element = card.querySelector(selector);
        if (element) element.textContent = words;
      };
      put('.brand span', name);
      put('.title', title);
      put('.text', text);
      const art = card.querySelector('.art');
      if (drawings.length > 0) art?.append(...drawings.map((drawing) => drawing.cloneNode(true)));
      else if (art) art.innerHTML = mark;
      document.body.append(card);
      return { title, text };
    },
    { dir, text, style: STYLE, mark: MARK, max: MAX_DRAWINGS },
  );
}

await main();
