import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fetchWithTimeout, isAbort, isTimeout, nextTimeout } from './fetch-with-timeout';

test.each([
  [1_000, 10_000],
  [6_667, 10_000.5],
  [8_000, 12_000],
  [10_000, 15_000],
  [20_000, 15_000],
])('after %d ms the limit is %d ms', (elapsed, limit) => {
  expect(nextTimeout(elapsed)).toBe(limit);
});

let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/slow') return;
    response.end('text');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('the body is read within the limit', async () => {
  expect(await fetchWithTimeout(`${origin}/`, {}, (response) => response.text())).toBe('text');
});

test('the caller can give up', async () => {
  const abort = new AbortController();
  const answer = fetchWithTimeout(`${origin}/slow`, { signal: abort.signal }, async () => '');
  abort.abort();
  await expect(answer).rejects.toSatisfy(isAbort);
});

test('the call after one that took too long gets 1.5 times what that took', async () => {
  const limits: number[] = [];
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((limit) => {
    limits.push(limit);
    now += 9_000;
    return timeout(limits.length === 1 ? 20 : limit);
  });
  const slow = fetchWithTimeout(`${origin}/slow`, {}, (response) => response.text());
  await expect(slow).rejects.toSatisfy(isTimeout);
  await fetchWithTimeout(`${origin}/`, {}, (response) => response.text());
  expect(limits).toEqual([10_000, 13_500]);
});
