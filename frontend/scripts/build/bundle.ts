import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig, type Manifest, type Rolldown } from 'vite';
import { CLIENT_DIR, inFrontend, SERVER_DIR } from './paths.ts';

type Output = Rolldown.RolldownOutput['output'];

const configFile = inFrontend('vite.config.ts');
const shared = { configFile, logLevel: 'warn' as const, mode: 'production' };
/**
 * Packages that support server components contain "use client". The QR encoder is imported
 * dynamically by pages that draw the code in the browser, and statically by pages whose code the
 * server draws.
 */
const EXPECTED_WARNINGS = ['MODULE_LEVEL_DIRECTIVE', 'INEFFECTIVE_DYNAMIC_IMPORT'];

const onwarn: NonNullable<Rolldown.InputOptions['onwarn']> = (warning, warn) => {
  if (!EXPECTED_WARNINGS.includes(warning.code ?? '')) warn(warning);
};

/** Builds the browser's files, with those of `public/`. */
export async function buildClient(): Promise<Manifest> {
  await bundle({
    ...shared,
    build: {
      outDir: CLIENT_DIR,
      emptyOutDir: true,
      manifest: true,
      rolldownOptions: {
        onwarn,
        input: { site: inFrontend('src/app/client.tsx') },
        output: {
          chunkFileNames: ({ facadeModuleId }) => `assets/${chunkName(facadeModuleId)}-[hash].js`,
          codeSplitting: {
            groups: [
              { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\// },
              { name: 'router', test: /node_modules\/react-router\// },
              // Messages of components that are on many pages.
              {
                debugName: 'messages',
                name: (id) => `messages-${localeOfCatalogue(id)}-common`,
                test: COMMON_MESSAGES,
              },
              // Code that many pages share, then code that related pages share: each file costs a
              // request, and small files compress badly. Texts, diagrams, forms, lists and videos
              // are on many pages too, but other pages should not load their styles.
              {
                name: 'common',
                test: /\/src\/(?:app|features\/(?!reading\/|products\/(?:\w*Diagram|marks))|lib|ui\/(?!form\/|likes\/|pagination\/|pill|Prose|prose|video\/))/,
                minShareCount: 5,
              },
              {
                name: 'reading',
                test: /\/src\/(?:features\/reading|ui\/(?:likes|pill|Prose|prose))/,
                minShareCount: 2,
              },
              {
                name: 'diagrams',
                test: /\/src\/features\/products\/(?:\w*Diagram|marks)/,
                minShareCount: 2,
              },
              {
                name: 'products',
                test: /\/src\/(?:features\/(?:fees|products)|features\/news\/ArticleLead|lib\/links\/useAppAddress|ui\/(?:qr\/QrCode|ArrowHead))/,
                minShareCount: 2,
              },
              {
                name: 'college',
                test: /\/src\/features\/college\/(?:CompanyArt|lessons)/,
                minShareCount: 2,
              },
              { name: 'quotes', test: /\/src\/features\/quotes\//, minShareCount: 2 },
            ],
          },
        },
      },
    },
  });
  const manifest = readFileSync(join(CLIENT_DIR, '.vite/manifest.json'), 'utf8');
  // The manifest is for the build; browsers do not request it.
  rmSync(join(CLIENT_DIR, '.vite'), { recursive: true });
  return JSON.parse(manifest) as Manifest;
}

/** Builds the blocking script of every page. */
export async function buildBoot(): Promise<string> {
  const [script] = await bundle({
    ...shared,
    publicDir: false,
    build: {
      outDir: CLIENT_DIR,
      emptyOutDir: false,
      rolldownOptions: {
        onwarn,
        input: { boot: inFrontend('src/app/boot.ts') },
        output: { format: 'iife' },
      },
    },
  });
  return script.fileName;
}

/** Builds the renderer, or another program that renders pages, as one file without dependencies. */
export async function buildServer(
  buildId: string,
  outDir = SERVER_DIR,
  input: Record<string, string> = { renderer: inFrontend('renderer/main.ts') },
): Promise<Output> {
  return bundle({
    ...shared,
    publicDir: false,
    define: {
      'process.env.NODE_ENV': '"production"',
      'import.meta.env.BUILD_ID': JSON.stringify(buildId),
    },
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node24',
      outDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        onwarn,
        input,
        output: { format: 'esm', entryFileNames: '[name].js', codeSplitting: false },
      },
    },
  });
}

async function bundle(config: InlineConfig): Promise<Output> {
  // Vite reads NODE_ENV before the mode, and test runners set their own value.
  process.env.NODE_ENV = 'production';
  const result = await build(config);
  if ('output' in result) return result.output;
  throw new Error('the build gave no output');
}

const COMMON_MESSAGES =
  /virtual:messages\/[\w-]+\/(?:common|products|quotes|fees|reading|open-account|error)$/;

function localeOfCatalogue(module: string): string {
  return /virtual:messages\/([\w-]+)\//.exec(module)?.[1] ?? '';
}

/** Names of catalogue chunks contain the locale: `messages-en-us-home`. */
function chunkName(module: string | null | undefined): string {
  const id = /virtual:messages\/(.+)$/.exec(module ?? '')?.[1];
  return id ? `messages-${id.replace('/', '-')}` : '[name]';
}
