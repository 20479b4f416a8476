import { expect, test } from 'vitest';
import { Metrics } from './metrics';

/** Samples of the exposition format by name and labels. Every line is a sample, TYPE or HELP. */
function samples(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.trimEnd().split('\n')) {
    if (/^# (TYPE [a-z0-9_]+ (counter|gauge|histogram)|HELP [a-z0-9_]+ .+)$/.test(line)) continue;
    const [, name, value] =
      /^([a-z0-9_]+(?:\{[a-z_]+="[^"]+"(?:,[a-z_]+="[^"]+")*\})?) (\S+)$/.exec(line) ?? [];
    expect(name, line).toBeDefined();
    expect(Number.isFinite(Number(value)), line).toBe(true);
    found.set(name as string, Number(value));
  }
  return found;
}

test('failed exports are shown where spans are exported', () => {
  const name = 'otel_export_failures_total{signal="traces"}';
  expect(samples(new Metrics().text(2)).get(name)).toBe(2);
  expect(samples(new Metrics().text()).has(name)).toBe(false);
});

test('renders are counted by status and by how long they took', () => {
  const metrics = new Metrics();
  for (const seconds of [0.0004, 0.003, 0.0031, 2]) metrics.rendered(200, seconds);
  metrics.rendered(500, 0.5);
  const found = samples(metrics.text());
  const name = 'renderer_render_duration_seconds';
  const of = (suffix: string, labels: string) => found.get(`${name}_${suffix}{${labels}}`);
  const ok = 'http_response_status_code="200"';
  expect(of('count', ok)).toBe(4);
  expect(of('sum', ok)).toBeCloseTo(2.0065);
  for (const [bound, count] of [
    ['0.0005', 1],
    ['0.0025', 1],
    ['0.005', 3],
    ['1.5', 3],
    ['+Inf', 4],
  ]) {
    expect(of('bucket', `${ok},le="${bound}"`), String(bound)).toBe(count);
  }
  const failed = 'http_response_status_code="500"';
  expect(of('bucket', `${failed},le="0.25"`)).toBe(0);
  expect(of('bucket', `${failed},le="0.5"`)).toBe(1);
});

test('a blocked event loop is seen once', async () => {
  const metrics = new Metrics();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const until = performance.now() + 80;
  while (performance.now() < until);
  await new Promise((resolve) => setTimeout(resolve, 30));
  const delay = 'nodejs_eventloop_delay_max_seconds';
  const first = samples(metrics.text());
  expect(first.get(delay)).toBeGreaterThan(0.06);
  expect(
    first.get('nodejs_eventloop_time_seconds_total{nodejs_eventloop_state="active"}'),
  ).toBeGreaterThan(0);
  expect(first.get('v8js_memory_heap_used_bytes')).toBeGreaterThan(1e6);
  expect(samples(metrics.text()).get(delay)).toBeLessThan(0.06);
});
