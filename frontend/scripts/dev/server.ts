import type { IncomingMessage, ServerResponse } from 'node:http';
import react from '@vitejs/plugin-react';
import {
  createServer,
  isRunnableDevEnvironment,
  type Plugin,
  type ProxyOptions,
  type RunnableDevEnvironment,
  type ViteDevServer,
} from 'vite';
import type { PagePayload } from '../../src/lib/page/payload.ts';
import { inFrontend } from '../build/paths.ts';
import { documentOf, payloadIn, type Sheet } from './document.ts';
import { fixtureAt, fixtureList } from './fixtures.ts';

/** The style sheets of every page, in the order of the cascade (`src/app/client.tsx`). */
const SHARED_SHEETS = ['/src/styles/tokens.css', '/src/styles/base.css', '/src/app/fonts.css'];
/** Paths that Vite serves, besides scripts. Everything else belongs to the site. */
const VITES = /^\/(?:@|src\/|node_modules\/|__)/;

export interface DevSettings {
  port: number;
  /** The gateway that provides pages, data and files; fixtures if absent. */
  gateway?: string | undefined;
}

/**
 * Vite's server with the site's pages, rendered on the server and updated by hot module
 * replacement.
 */
export async function devServer({ port, gateway }: DevSettings): Promise<ViteDevServer> {
  const server = await createServer({
    configFile: inFrontend('vite.config.ts'),
    appType: 'custom',
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      ...(gateway && { proxy: { '^/': throughTo(gateway) } }),
    },
    plugins: [react(), pages(gateway ? new Site(gateway) : new Stored())],
  });
  return server.listen();
}

/** Proxies everything but documents and Vite's modules to the gateway. */
function throughTo(target: string): ProxyOptions {
  return {
    target,
    changeOrigin: true,
    bypass: ({ url = '/', method, headers }) => {
      const isDocument = method === 'GET' && headers.accept?.includes('text/html');
      return VITES.test(url) || headers['sec-fetch-dest'] === 'script' || isDocument ? url : null;
    },
  };
}

/** The response to a request. */
type Found =
  | { payload: PagePayload; status: number; headers?: Headers }
  | { body: string | Buffer; type: string; status: number; headers?: Headers };

interface Source {
  find(request: IncomingMessage): Promise<Found>;
}

/** Pages from `fixtures/`. */
class Stored implements Source {
  async find({ url = '/' }: IncomingMessage): Promise<Found> {
    const data = url.startsWith('/_data/');
    const payload = fixtureAt(data ? url.slice('/_data'.length) : url);
    if (payload && data) {
      const { build, page, document } = payload;
      const body = JSON.stringify({ build, page, document });
      return { status: 200, type: 'application/json', body };
    }
    if (payload) return { status: 200, payload };
    const isList = url === '/';
    return { status: isList ? 200 : 404, type: 'text/html', body: fixtureList() };
  }
}

/** Pages of a gateway: uses its page data and renders the HTML here. */
class Site implements Source {
  private readonly gateway: string;

  constructor(gateway: string) {
    this.gateway = gateway;
  }

  async find({ url = '/', headers }: IncomingMessage): Promise<Found> {
    const { host, connection, 'accept-encoding': _, 'if-none-match': __, ...forwarded } = headers;
    const answer = await fetch(new URL(url, this.gateway), {
      redirect: 'manual',
      headers: forwarded as Record<string, string>,
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    const payload = type.startsWith('text/html') ? payloadIn(body.toString()) : undefined;
    const { status } = answer;
    return { status, headers: answer.headers, ...(payload ? { payload } : { body, type }) };
  }
}

/** Headers of the gateway's response that also apply to the rendered page. */
const PASSED_ON = ['location', 'set-cookie', 'vary', 'x-robots-tag'];

function pages(source: Source): Plugin {
  return {
    name: 'sahm-pages',
    configureServer(server) {
      // Runs after Vite's middleware, so a request is for neither a module nor a file.
      return () => {
        server.middlewares.use((request, response, next) => {
          answer(server, source, request, response).catch((error: Error) => {
            server.ssrFixStacktrace(error);
            next(error);
          });
        });
      };
    },
  };
}

async function answer(
  server: ViteDevServer,
  source: Source,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const found = await source.find(request);
  response.statusCode = found.status;
  response.setHeader('cache-control', 'no-store');
  for (const name of PASSED_ON) {
    const value = name === 'set-cookie' ? found.headers?.getSetCookie() : found.headers?.get(name);
    if (value?.length) response.setHeader(name, value);
  }
  if ('payload' in found) {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(await rendered(server, request.url ?? '/', found.payload));
  } else {
    response.setHeader('content-type', found.type);
    response.end(found.body);
  }
}

async function rendered(server: ViteDevServer, url: string, payload: PagePayload): Promise<string> {
  const { ssr } = server.environments;
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('Vite runs no modules of the server');
  const [{ renderPage }, { loadWholePage }, { pageIdOf }] = await Promise.all([
    ssr.runner.import<typeof import('../../src/app/server.tsx')>('/src/app/server.tsx'),
    ssr.runner.import<typeof import('../../src/app/load.ts')>('/src/app/load.ts'),
    ssr.runner.import<typeof import('../../src/app/pages.ts')>('/src/app/pages.ts'),
  ]);
  await loadWholePage(pageIdOf(payload.page), payload.visitor.locale);
  const html = await renderPage(payload);
  return server.transformIndexHtml(url, documentOf(payload, html, await sheetsOf(ssr)));
}

/** The style sheets of all modules that pages have imported so far. */
async function sheetsOf(ssr: RunnableDevEnvironment): Promise<Sheet[]> {
  const used = [...ssr.moduleGraph.urlToModuleMap.keys()].filter((url) => url.endsWith('.css'));
  const urls = [...new Set([...SHARED_SHEETS, ...used])];
  return Promise.all(
    urls.map(async (url) => {
      const { default: css } = await ssr.runner.import<{ default: string }>(`${url}?inline`);
      return { id: inFrontend(url.slice(1)), css };
    }),
  );
}
