/**
 * Builds `dist/`: client, renderer and `site.json`, which tells the gateway all it must know of
 * them. Fails where routes and pages, catalogues, or budgets do not hold. `--unchecked` leaves the
 * type check out.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import routes from '../routes.json' with { type: 'json' };
import { PAGES } from '../src/app/pages.ts';
import { LOCALE_IDS } from '../src/lib/locale.ts';
import { type Assets, Bundle } from './build/assets.ts';
import { exceeded, type Load } from './build/budget.ts';
import { buildClient, buildEarly, buildServer } from './build/bundle.ts';
import { compress, type Sizes } from './build/compress.ts';
import { CLIENT_DIR, inFrontend, SERVER_DIR, SITE_FILE } from './build/paths.ts';
import { builtPages, routeProblems } from './build/registry.ts';
import { headsOf, shellTextsOf, siteNamesOf } from './build/texts.ts';
import { Catalogues } from './messages/catalogues.ts';

const run = promisify(execFile);

async function main() {
  const catalogues = new Catalogues(inFrontend('messages'));
  const { heads, problems } = headsOf(catalogues, Object.keys(PAGES));
  stopOn([...routeProblems(routes.routes, PAGES), ...catalogues.problems(), ...problems]);

  const checked = process.argv.includes('--unchecked') ? Promise.resolve('') : typeCheck();
  const client = await buildClient();
  const [early] = await Promise.all([buildEarly(), buildServer()]);
  stopOn([await checked].filter((text) => text !== ''));

  const bundle = new Bundle(client);
  const pages = builtPages(PAGES);
  const assets = bundle.assets(pages, early[0].fileName);
  for (const [name, text] of bundle.sheets) writeFileSync(join(CLIENT_DIR, name), text);
  const sizes = await compressAll();
  const loads = pages.flatMap((page) =>
    LOCALE_IDS.map((locale) => loadOf(page.id, locale, assets, bundle.ownChunks(page), sizes)),
  );
  report(loads);
  stopOn(loads.flatMap(exceeded));

  const build = buildId();
  nameRenderer(build);
  const site = {
    build,
    routes: routes.routes,
    heads,
    shell: shellTextsOf(catalogues),
    siteName: siteNamesOf(catalogues),
    assets,
  };
  writeFileSync(SITE_FILE, `${JSON.stringify(site, null, 2)}\n`);
}

/** The compiler's complaints, among them every message key that no catalogue has. */
async function typeCheck(): Promise<string> {
  try {
    await run(inFrontend('node_modules/.bin/tsc'), ['--noEmit'], { cwd: inFrontend('.') });
    return '';
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error);
  }
}

async function compressAll(): Promise<Map<string, Sizes>> {
  const names = readdirSync(join(CLIENT_DIR, 'assets'));
  const sizes = await Promise.all(names.map((name) => compress(join(CLIENT_DIR, 'assets', name))));
  return new Map(
    names.map((name, index) => [`/assets/${name}`, sizes[index] ?? { raw: 0, gzip: 0 }]),
  );
}

function loadOf(
  page: string,
  locale: string,
  assets: Assets,
  own: string[],
  sizes: Map<string, Sizes>,
): Load {
  const total = (names: string[] = []) =>
    names.reduce((sum, name) => sum + (sizes.get(name)?.gzip ?? 0), 0);
  const { preload = [], messages = {}, styles = [] } = assets.pages[page] ?? {};
  const { entry, early } = assets.scripts;
  const fonts = assets.fonts[locale] ?? [];
  return {
    page,
    locale,
    scripts: total([entry, early, ...preload, ...(messages[locale] ?? [])]),
    pageChunk: total(own.map((name) => `/${name}`)),
    styles: total(styles),
    fonts: total(fonts),
    fontFiles: fonts.length,
  };
}

function report(loads: Load[]) {
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
  const rows = loads.map(({ page, locale, scripts, pageChunk, styles, fonts }) => ({
    page,
    locale,
    scripts: kb(scripts),
    'page chunk': kb(pageChunk),
    styles: kb(styles),
    fonts: kb(fonts),
  }));
  console.table(rows);
}

/** Names everything that was built together: the same sources give the same id. */
function buildId(): string {
  const hash = createHash('sha256');
  const roots = [CLIENT_DIR, SERVER_DIR, inFrontend('messages'), inFrontend('routes.json')];
  for (const root of roots) {
    for (const file of filesIn(root)) {
      hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** Tells the renderer which build it belongs to (`renderer/build.ts`). */
function nameRenderer(build: string) {
  const file = join(SERVER_DIR, 'renderer.js');
  const unnamed = readFileSync(file, 'utf8');
  if (!unnamed.includes('@build@')) stopOn(['the renderer has no place for its build']);
  writeFileSync(file, unnamed.replaceAll('@build@', build));
}

function filesIn(root: string): string[] {
  if (root.endsWith('.json')) return [root];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(?:br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function stopOn(problems: string[]) {
  if (problems.length === 0) return;
  for (const problem of problems) console.error(problem);
  process.exit(1);
}

await main();
