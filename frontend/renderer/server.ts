import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { canRender, renderPage } from '../src/app/server';
import { BUILD } from './build';
import { log } from './log';
import { Metrics } from './metrics';
import { readPayload } from './payload';
import { parentOf, type Tracing } from './tracing';

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const TEXT = 'text/plain; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const METRICS = 'text/plain; version=0.0.4; charset=utf-8';

export interface State {
  ready: boolean;
  /** The process is shutting down: responses close their connections. */
  draining: boolean;
}

interface HttpResponse {
  status: number;
  type: string;
  body: string;
  fields?: Record<string, unknown>;
}

/**
 * The renderer over HTTP: `POST /render` takes a page payload and returns the HTML of `#root`, or
 * 409 if `x-build` names another build, whose styles and scripts the HTML would not match. Also
 * `/livez`, `/readyz` and `/metrics`.
 */
export function rendererServer(state: State, tracing?: Tracing): Server {
  const metrics = new Metrics();
  const server = createServer((request, response) => {
    answer(request, state, metrics, tracing).then(
      (answered) => {
        // The client's next connection may reach a renderer of the right build.
        if (state.draining || answered.status === 409) response.setHeader('connection', 'close');
        send(request, response, answered);
      },
      () => response.destroy(),
    );
  });
  // Longer than the idle timeout of clients, so that they close idle connections first.
  server.keepAliveTimeout = 75_000;
  server.requestTimeout = 10_000;
  return server;
}

async function answer(
  request: IncomingMessage,
  state: State,
  metrics: Metrics,
  tracing: Tracing | undefined,
): Promise<HttpResponse> {
  const path = request.url?.split('?', 1)[0];
  if (path === '/livez') return { status: 200, type: TEXT, body: 'ok\n' };
  if (path === '/readyz') {
    return state.ready
      ? { status: 200, type: TEXT, body: 'ok\n' }
      : { status: 503, type: TEXT, body: 'not ready\n' };
  }
  if (path === '/metrics') {
    return { status: 200, type: METRICS, body: metrics.text(tracing?.exportFailures) };
  }
  if (path !== '/render') return { status: 404, type: TEXT, body: 'not found\n' };
  if (request.method !== 'POST') return { status: 405, type: TEXT, body: 'POST only\n' };
  const begun = performance.now();
  const body = await bodyOf(request);
  const rendered: HttpResponse =
    body === undefined
      ? { status: 413, type: TEXT, body: 'payload too large\n' }
      : (request.headers['x-build'] ?? BUILD) === BUILD
        ? await render(body)
        : { status: 409, type: TEXT, body: `of build ${BUILD}\n` };
  const { status, fields } = rendered;
  const took = performance.now() - begun;
  metrics.rendered(status, took / 1000);
  const parent = parentOf(request.headers.traceparent);
  tracing?.record(parent, 'POST /render', took, status, {
    'http.request.method': 'POST',
    'http.route': '/render',
    'url.path': '/render',
    'url.scheme': 'http',
  });
  log(levelOf(status), messageOf(status), {
    ...fields,
    status,
    bytes: rendered.body.length,
    duration_ms: Math.round(took * 100) / 100,
    trace_id: parent?.traceId,
  });
  return rendered;
}

/** Renders one payload. The response to a failure contains no details. */
async function render(body: string): Promise<HttpResponse> {
  const payload = readPayload(body);
  if ('problem' in payload) {
    return { status: 400, type: TEXT, body: `${payload.problem}\n`, fields: payload };
  }
  const fields = { page: payload.page, locale: payload.visitor.locale };
  if (!canRender(payload)) {
    return { status: 400, type: TEXT, body: 'unknown page\n', fields };
  }
  try {
    return { status: 200, type: HTML, body: await renderPage(payload), fields };
  } catch (error) {
    const reason = error instanceof Error ? error.stack : String(error);
    return {
      status: 500,
      type: TEXT,
      body: 'render failed\n',
      fields: { ...fields, error: reason },
    };
  }
}

/** 409 is expected during a rollout and not worth a warning. */
function levelOf(status: number) {
  if (status === 200 || status === 409) return 'info';
  return status === 500 ? 'error' : 'warn';
}

function messageOf(status: number): string {
  if (status === 200) return 'page rendered';
  return status === 500 ? 'page could not be rendered' : 'render request refused';
}

/** Reads the request body up to the limit; rejects if the request is aborted. */
function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on('end', () => {
      resolve(size > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8'));
    });
    request.on('error', reject);
  });
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body }: HttpResponse,
) {
  // A string body avoids a copy and is sent in one packet with the headers.
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
}
