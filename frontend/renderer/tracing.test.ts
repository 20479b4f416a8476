import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { exportHeaders, parentOf, resourceOf, samplerOf, Tracing, tracesUrl } from './tracing';

vi.mock('./build', () => ({ BUILD: 'b1d' }));

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = 'b7ad6b7169203331';

test.each([
  [`00-${trace}-${span}-01`, { traceId: trace, spanId: span, sampled: true }],
  [`00-${trace}-${span}-00`, { traceId: trace, spanId: span, sampled: false }],
  [`00-${'0'.repeat(32)}-${span}-01`, undefined],
  [`00-${trace}-${'0'.repeat(16)}-01`, undefined],
  [`00-${trace}-${span}`, undefined],
  [undefined, undefined],
])('the parent in %s', (header, parent) => {
  expect(parentOf(header)).toEqual(parent);
});

test.each([
  [{}, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, 'http://c:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }, 'http://c:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c/t' }, 'http://c/t'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_TRACES_EXPORTER: 'none' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, undefined],
])('spans of %j go to %s', (env, url) => {
  expect(tracesUrl(env)).toBe(url);
});

test('exports carry the headers of the standard variables, those for traces first', () => {
  const headers = exportHeaders({
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=s%20ecret, x-team=shared,broken,bad name=x',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-team=traces,authorization=Basic YTpi=',
  });
  expect(Object.fromEntries(headers)).toEqual({
    'content-type': 'application/json',
    'api-key': 's ecret',
    'x-team': 'traces',
    authorization: 'Basic YTpi=',
  });
});

test('a process is described by its own attributes, and by those of the environment before them', () => {
  const own = resourceOf({ SAHM_ENV: 'uat' });
  expect(own).toEqual({
    'service.namespace': 'sahm',
    'service.name': 'sahm-renderer',
    'service.version': 'b1d',
    'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'deployment.environment.name': 'uat',
  });
  expect(resourceOf({})['service.instance.id']).not.toBe(own['service.instance.id']);
  const attributes = 'service.instance.id=pod-1, team = a%2Cb ,key=a=b==,service.name=c,broken';
  expect(resourceOf({ OTEL_RESOURCE_ATTRIBUTES: attributes })).toMatchObject({
    'service.instance.id': 'pod-1',
    'service.name': 'c',
    team: 'a,b',
    key: 'a=b==',
  });
  const named = resourceOf({ OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: 'd' });
  expect(named['service.name']).toBe('d');
});

test('attributes with a malformed percent-escape are left out, and the process starts', () => {
  const resource = resourceOf({ OTEL_RESOURCE_ATTRIBUTES: 'team=site,rate=100%' });
  expect(resource).toMatchObject({ 'service.name': 'sahm-renderer' });
  expect(resource).not.toHaveProperty('team');
  expect(resource).not.toHaveProperty('rate');
});

test('failed exports are counted, and logged once a minute', async () => {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  const tracing = Tracing.of({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  const parent = parentOf(`00-${trace}-${span}-01`);
  for (let batch = 1; batch <= 3; batch++) {
    tracing?.record(parent, 'POST /render', 1, 200, {});
    await tracing?.flush();
    expect(tracing?.exportFailures).toBe(batch);
  }
  write.mockRestore();
  expect(lines.filter((line) => line.includes('spans not sent'))).toHaveLength(1);
});

const low = `${'0'.repeat(16)}3${'f'.repeat(15)}`;
const high = `${'0'.repeat(16)}c${'0'.repeat(15)}`;

test.each([
  [{}, trace, true, true],
  [{}, trace, false, false],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, trace, false, false],
  [{ OTEL_TRACES_SAMPLER: 'always_on' }, trace, false, true],
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, trace, true, false],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }, low, false, true],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' }, high, true, false],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio' }, high, false, true],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, low, true, false],
  [{ OTEL_TRACES_SAMPLER: 'unknown' }, trace, false, false],
])('sampler %j for trace %s of a parent that is sampled %s: %s', (env, traceId, sampled, is) => {
  expect(samplerOf(env)({ traceId, spanId: span, sampled })).toBe(is);
});

test('a span reaches a collector with its parent; what is not sampled does not', async () => {
  const bodies: string[] = [];
  const keys: unknown[] = [];
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    keys.push(request.headers['api-key']);
    bodies.push(Buffer.concat(chunks).toString());
    response.end('{}');
  });
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  const { port } = collector.address() as AddressInfo;
  const tracing = Tracing.of({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_RESOURCE_ATTRIBUTES: 'team=site',
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=secret',
  });
  for (const flags of ['00', '01']) {
    const parent = parentOf(`00-${trace}-${span}-${flags}`);
    tracing?.record(parent, 'POST /render', 12.5, 200, { 'http.route': '/render' });
  }
  tracing?.record(undefined, 'POST /render', 1, 200, {});
  await tracing?.flush();
  await tracing?.flush();
  collector.close();
  expect(bodies).toHaveLength(1);
  expect(keys).toEqual(['secret']);
  const { resource, scopeSpans } = JSON.parse(bodies[0] ?? '').resourceSpans[0];
  expect(JSON.stringify(resource)).toContain('"team"');
  expect(scopeSpans[0].spans).toHaveLength(1);
  const [sent] = scopeSpans[0].spans;
  expect(sent).toMatchObject({ traceId: trace, parentSpanId: span, name: 'POST /render', kind: 2 });
  expect(BigInt(sent.endTimeUnixNano) - BigInt(sent.startTimeUnixNano)).toBe(12_500_000n);
});
