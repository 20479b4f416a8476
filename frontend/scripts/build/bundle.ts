import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite';
import { CLIENT_DIR, inFrontend, SERVER_DIR } from './paths.ts';

type Output = Rolldown.RolldownOutput['output'];

const configFile = inFrontend('vite.config.ts');
const shared = { configFile, logLevel: 'warn' as const, mode: 'production' };
// Seven of base 36 tell builds of a file apart, and every page carries the names of all.
const HASHED = '[hash:7]';
const FILE = `assets/[name]-${HASHED}[extname]`;
const SCRIPT = `assets/[name]-${HASHED}.js`;

/** "use client" means nothing here; it stands in packages that also serve server components. */
const onwarn: NonNullable<Rolldown.InputOptions['onwarn']> = (warning, warn) => {
  if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
};

/**
 * The router makes and names all its components when it is loaded, which keeps the code of those
 * that nothing uses: said to be pure and left without names, they go (4.6 KB gzipped).
 */
const routerWithoutUnused: Plugin = {
  name: 'router-without-unused',
  transform: {
    filter: { id: /node_modules\/react-router\/dist\// },
    handler: (code) =>
      code
        .replace(/^\s*[\w$.]+\.displayName = .*;$/gm, '')
        .replace(
          /= (React(?:\$\d+)?\.(?:forwardRef|memo|createContext)\()/g,
          '= /* @__PURE__ */ $1',
        ),
  },
};

/** The browser finds pages by path; what else the table says is the gateway's. */
const pathsOfRoutes: Plugin = {
  name: 'paths-of-routes',
  enforce: 'pre',
  transform: {
    filter: { id: /\/routes\.json$/ },
    handler(code) {
      const { routes } = JSON.parse(code) as { routes: { id: string; path: string }[] };
      return JSON.stringify({ routes: routes.map(({ id, path }) => ({ id, path })) });
    },
  },
};

/** What the browser loads, and the files of `public/`. */
export async function buildClient(): Promise<Output> {
  return bundle({
    ...shared,
    plugins: [pathsOfRoutes, routerWithoutUnused],
    build: {
      outDir: CLIENT_DIR,
      emptyOutDir: true,
      rolldownOptions: {
        onwarn,
        input: { site: inFrontend('src/app/entry-client.tsx') },
        output: {
          entryFileNames: SCRIPT,
          chunkFileNames: ({ facadeModuleId }) =>
            `assets/${messagesName(facadeModuleId)}-${HASHED}.js`,
          assetFileNames: FILE,
          hashCharacters: 'base36',
          codeSplitting: {
            groups: [
              { name: 'vendor', test: /node_modules\/(?!uqr\/)/ },
              // What most pages share is smaller in one piece than in twenty.
              { name: 'common', test: /\/src\/(?:ui|lib)\/.*\.tsx?$/, minShareCount: 14 },
            ],
          },
        },
      },
    },
  });
}

/** The blocking script of every page. */
export async function buildEarly(): Promise<Output> {
  return bundle({
    ...shared,
    publicDir: false,
    build: {
      outDir: CLIENT_DIR,
      emptyOutDir: false,
      rolldownOptions: {
        onwarn,
        input: { early: inFrontend('src/app/early.ts') },
        output: {
          format: 'iife',
          entryFileNames: SCRIPT,
          hashCharacters: 'base36',
        },
      },
    },
  });
}

/** The renderer, or another program over the same pages: one file without dependencies. */
export async function buildServer(
  outDir = SERVER_DIR,
  input: Record<string, string> = { renderer: inFrontend('renderer/main.ts') },
): Promise<Output> {
  return bundle({
    ...shared,
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
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
  // Vite takes the build's kind from here before it looks at the mode: tests set their own.
  process.env.NODE_ENV = 'production';
  const result = await build(config);
  if ('output' in result) return result.output;
  throw new Error('the build gave no output');
}

function messagesName(module: string | null | undefined): string {
  const id = /virtual:messages\/(.+)$/.exec(module ?? '')?.[1];
  return id ? `messages-${id.replace('/', '-')}` : '[name]';
}
