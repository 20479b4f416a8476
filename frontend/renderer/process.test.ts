import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildServer } from '../scripts/build/bundle.ts';
import { fixtureNames, readFixture } from '../scripts/fixtures/store.ts';

const BUILD = 'b1';

let directory: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sahm-renderer-'));
  await buildServer(BUILD, directory);
}, 60_000);

afterAll(() => rmSync(directory, { recursive: true }));

interface Renderer {
  child: ChildProcess;
  origin: string;
  log: string[];
}

/** Starts the built renderer as a process and waits until it is ready. */
async function start(
  env: Record<string, string> = {},
  read = (stderr: Readable, log: string[]) => {
    createInterface({ input: stderr }).on('line', (line) => log.push(line));
  },
): Promise<Renderer> {
  const child = spawn(process.execPath, [join(directory, 'renderer.js')], {
    env: { PATH: process.env.PATH, SAHM_RENDERER_LISTEN: '127.0.0.1:0', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  read(child.stderr, log);
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error(log.join('\n'));
    }),
  ]);
  return { child, origin: `http://${JSON.parse(line).ready}`, log };
}

const fixtures = fixtureNames();
const fixture = (name: string) => JSON.stringify(readFixture(name));

describe('the renderer', () => {
  let renderer: Renderer;
  const render = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${renderer.origin}/render`, { method: 'POST', body, headers });

  beforeAll(async () => {
    renderer = await start();
  });

  afterAll(() => {
    renderer.child.kill('SIGKILL');
  });

  test('answers its probes', async () => {
    expect((await fetch(`${renderer.origin}/livez`)).status).toBe(200);
    expect((await fetch(`${renderer.origin}/readyz`)).status).toBe(200);
    expect((await fetch(`${renderer.origin}/else`)).status).toBe(404);
    expect((await fetch(`${renderer.origin}/render`)).status).toBe(405);
  });

  test('renders every page it has from an empty document', () => {
    expect(renderer.log.filter((line) => line.includes(' WARN '))).toEqual([]);
  });

  test('renders for its own build only, so that no page gets HTML that does not fit it', async () => {
    const body = fixture(fixtures[0] as string);
    expect((await render(body, { 'x-build': BUILD })).status).toBe(200);
    const other = await render(body, { 'x-build': 'another' });
    expect([other.status, other.headers.get('connection')]).toEqual([409, 'close']);
  });

  test('tells operators of its renders', async () => {
    const count = async () => {
      const answer = await fetch(`${renderer.origin}/metrics`);
      expect(answer.headers.get('content-type')).toContain('version=0.0.4');
      const counted =
        /^renderer_render_duration_seconds_count\{http_response_status_code="400"\} (\d+)$/m;
      return Number(counted.exec(await answer.text())?.[1] ?? 0);
    };
    const before = await count();
    await render('{');
    expect(await count()).toBe(before + 1);
  });

  test.each(fixtures)('renders %s, twice the same', async (name) => {
    const [one, two] = await Promise.all([render(fixture(name)), render(fixture(name))]);
    expect(one.status).toBe(200);
    expect(one.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await one.text();
    expect(html).toBe(await two.text());
    expect(html.match(/<h1[\s>]/g)).toHaveLength(1);
    expect(html.match(/<main[\s>]/g)).toHaveLength(1);
    expect(html).not.toContain('<script');
  });

  test.each([
    ['{', 400, 'not JSON\n'],
    ['{}', 400, 'build is not a text\n'],
    [' '.repeat(4 * 1024 * 1024 + 1), 413, 'payload too large\n'],
  ])('refuses what is no payload', async (body, status, text) => {
    const answer = await render(body);
    expect(answer.status).toBe(status);
    expect(await answer.text()).toBe(text);
  });

  test('refuses a page of another build', async () => {
    const payload = { ...JSON.parse(fixture(fixtures[0] ?? '')), page: 'constructor' };
    expect((await render(JSON.stringify(payload))).status).toBe(400);
  });

  test('tells nothing of why a page failed, but logs it with its trace', async () => {
    const payload = JSON.parse(fixture(fixtures[0] ?? ''));
    payload.document = { frame: { layoutData: { header: 7, footer: 7 } }, articles: 7 };
    const trace = '0af7651916cd43dd8448eb211c80319c';
    const answer = await render(JSON.stringify(payload), {
      traceparent: `00-${trace}-b7ad6b7169203331-01`,
    });
    expect(answer.status).toBe(500);
    expect(await answer.text()).toBe('render failed\n');
    const line = renderer.log.find((text) => text.includes(trace)) ?? '';
    for (const part of ['ERROR renderer: ', ' status=500 ', ` page="${payload.page}"`]) {
      expect(line).toContain(part);
    }
  });
});

describe('the process', () => {
  test.each([
    ['dev', /^\d\d:\d\d:\d\d\.\d{3} {2}INFO renderer: renderer ready address="127\.0\.0\.1:\d+"$/],
    [
      'daily',
      /^\{"timestamp":"[^"]+Z","level":"INFO","message":"renderer ready","address":"[^"]+","target":"renderer"\}$/,
    ],
  ])('logs in the format of the other processes in %s', async (SAHM_ENV, line) => {
    const { child, log } = await start({ SAHM_ENV });
    await vi.waitUntil(() => log.length > 0);
    expect(log).toEqual([expect.stringMatching(line)]);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  test('drains on SIGTERM', async () => {
    const { child } = await start();
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('drains past a connection on which nothing was ever asked', async () => {
    const { child, origin } = await start();
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    await once(socket, 'connect');
    const closed = once(socket, 'close');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    await closed;
  });

  test('serves on for a while where processes are replaced', async () => {
    const { child, origin } = await start({ SAHM_ENV: 'daily' });
    child.kill('SIGTERM');
    const left = await vi.waitUntil(async () => {
      const answer = await fetch(`${origin}/readyz`);
      return answer.status === 503 && answer;
    });
    expect(left.headers.get('connection')).toBe('close');
    const body = fixture(fixtures[0] ?? '');
    expect((await fetch(`${origin}/render`, { method: 'POST', body })).status).toBe(200);
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('renders on when nobody reads its log, and counts what it drops', async () => {
    const { child, origin } = await start({}, () => {});
    const ask = (body: string) => fetch(`${origin}/render`, { method: 'POST', body });
    const payload = JSON.parse(fixture(fixtures[0] as string));
    const wordy = JSON.stringify({ ...payload, page: 'x'.repeat(100_000) });
    for (let times = 0; times < 20; times++) expect((await ask(wordy)).status).toBe(400);
    expect((await ask(JSON.stringify(payload))).status).toBe(200);
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    const dropped = Number(/^renderer_log_dropped_total (\d+)$/m.exec(metrics)?.[1]);
    expect(dropped).toBeGreaterThan(0);
    expect(dropped).toBeLessThan(12);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('goes when the parent that holds its stdin goes', async () => {
    const { child } = await start({ SAHM_RENDERER_WATCH_STDIN: '1' });
    child.stdin?.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  test('stays without a stdin when not told to watch it', async () => {
    const { child, origin } = await start();
    child.stdin?.destroy();
    expect((await fetch(`${origin}/livez`)).status).toBe(200);
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  test.each([
    ['SAHM_LISTNE', 'x'],
    ['SAHM_ENV', 'production'],
    ['SAHM_RENDERER_LISTEN', 'nowhere'],
  ])('does not start with %s=%s, and says so in one line', async (name, value) => {
    const child = spawn(process.execPath, [join(directory, 'renderer.js')], {
      env: { PATH: process.env.PATH, SAHM_RENDERER_LISTEN: '127.0.0.1:0', [name]: value },
    });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([said, code]).toEqual([expect.stringMatching(`^${name}: [^\n]+\n$`), 2]);
  });
});
