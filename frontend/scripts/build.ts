/**
 * Builds `dist/`: client, renderer, and `site.json`, which describes both to the gateway. Fails if
 * routes and pages do not match, catalogues differ or a page exceeds its budget. `--unchecked`
 * skips the type check.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import routes from '../routes.json' with { type: 'json' };
import { LOCALE_IDS } from '../src/lib/locale.ts';
import { type Assets, PageManifest } from './build/assets.ts';
import { exceeded, type Load } from './build/budget.ts';
import { buildBoot, buildClient, buildServer } from './build/bundle.ts';
import { compress, type Sizes } from './build/compress.ts';
import { addressOf, CLIENT_DIR, inFrontend, SITE_FILE } from './build/paths.ts';
import { registeredPages, routeProblems } from './build/registry.ts';
import { missingSocialImages } from './build/social-images.ts';
import { headsOf, shellTextsOf, siteNamesOf } from './build/texts.ts';
import { Catalogues } from './messages/catalogues.ts';

const run = promisify(execFile);

async function main() {
  const catalogues = new Catalogues(inFrontend('messages'));
  const pages = await registeredPages();
  const ids = pages.map(({ id }) => id);
  const { heads, problems } = headsOf(catalogues, ids);
  stopOn([
    ...routeProblems(routes.routes, pages),
    ...catalogues.problems(),
    ...problems,
    ...missingSocialImages(inFrontend('public'), ids, LOCALE_IDS),
  ]);

  const checked = process.argv.includes('--unchecked') ? Promise.resolve('') : typeCheck();
  const build = buildId();
  const manifest = new PageManifest(await buildClient());
  const [boot] = await Promise.all([buildBoot(), buildServer(build)]);
  stopOn([await checked].filter((text) => text !== ''));

  const assets = manifest.assets(pages, boot);
  const sizes = await compressAll();
  const loads = pages.flatMap((page) =>
    LOCALE_IDS.map((locale) => loadOf(page.id, locale, assets, manifest.ownScripts(page), sizes)),
  );
  report(loads);
  const site = {
    build,
    routes: routes.routes,
    heads,
    shell: shellTextsOf(catalogues),
    siteName: siteNamesOf(catalogues),
    assets,
  };
  writeFileSync(SITE_FILE, `${JSON.stringify(site, null, 2)}\n`);
  stopOn(loads.flatMap(exceeded));
}

/** The compiler's errors, including those about message keys that no catalogue has. */
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
    names.map((name, index) => [addressOf(`assets/${name}`), sizes[index] ?? { raw: 0, gzip: 0 }]),
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
  const { entry, boot } = assets.scripts;
  const fonts = assets.fonts[locale] ?? [];
  return {
    page,
    locale,
    initialScripts: total([entry, boot, ...preload, ...(messages[locale] ?? [])]),
    pageChunk: total(own),
    styles: total(styles),
    fonts: total(fonts),
    fontFiles: fonts.length,
  };
}

function report(loads: Load[]) {
  const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
  const rows = loads.map(({ page, locale, initialScripts, pageChunk, styles, fonts }) => ({
    page,
    locale,
    'initial scripts': kb(initialScripts),
    'page chunk': kb(pageChunk),
    styles: kb(styles),
    fonts: kb(fonts),
  }));
  console.table(rows);
}

/** The inputs of the build, from which its id is computed. */
const SOURCES = [
  'messages',
  'package-lock.json',
  'renderer',
  'routes.json',
  'scripts',
  'src',
  'vite.config.ts',
];

/** The id of the build: a hash of its sources, so the same sources give the same id. */
function buildId(): string {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((source) =>
    globSync(source.includes('.') ? source : `${source}/**/*.*`, { cwd: inFrontend('.') }),
  );
  for (const file of files.filter((name) => !name.includes('.test.')).sort()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(inFrontend(file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function stopOn(problems: string[]) {
  if (problems.length === 0) return;
  for (const problem of problems) console.error(problem);
  process.exit(1);
}

await main();
