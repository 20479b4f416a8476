import { randomBytes, randomUUID } from 'node:crypto';
import { BUILD } from './build';
import { log } from './log';

type Environment = Record<string, string | undefined>;
type Attributes = Record<string, string | number>;

/** Spans beyond this number are dropped (the default of `OTEL_BSP_MAX_QUEUE_SIZE`). */
const MAX_QUEUED_SPANS = 2_048;
const EXPORT_TIMEOUT_MS = 2_000;
/** Minimum interval between log lines about failed exports. */
const LOG_INTERVAL_MS = 60_000;
const SPAN_KIND_SERVER = 2;
const STATUS_CODE_ERROR = 2;

/** The fields of a W3C `traceparent` header. */
export interface Parent {
  traceId: string;
  spanId: string;
  sampled: boolean;
}

/** Parses a `traceparent` header; undefined if it is malformed or an id is zero. */
export function parentOf(header: string | string[] | undefined): Parent | undefined {
  const found = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header));
  const [, traceId, spanId, flags] = found ?? [];
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId))
    return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/**
 * The URL that spans are exported to, from the standard `OTEL_*` variables; undefined if tracing is
 * off.
 */
export function tracesUrl(env: Environment): string | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined;
  const exporters = env.OTEL_TRACES_EXPORTER?.split(',').map((name) => name.trim());
  if (exporters && !exporters.includes('otlp')) return undefined;
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const shared = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = own || (shared && `${shared.replace(/\/$/, '')}/v1/traces`);
  if (!url) return undefined;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol === 'grpc') {
    log('warn', 'spans are exported over http only: no traces', { protocol });
    return undefined;
  }
  return url;
}

/**
 * The headers of exports: `OTEL_EXPORTER_OTLP_HEADERS`, overridden by
 * `OTEL_EXPORTER_OTLP_TRACES_HEADERS`, as `name=value` pairs with percent-encoded values.
 */
export function exportHeaders(env: Environment): Headers {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']) {
    for (const pair of env[name]?.split(',').filter((one) => one.trim()) ?? []) {
      try {
        const at = pair.indexOf('=');
        if (at < 0) throw new TypeError('a pair has no =');
        headers.set(pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim()));
      } catch {
        // The pair is not logged, because its value is a secret.
        log('warn', 'an export header that is no name=value pair is left out', { setting: name });
      }
    }
  }
  return headers;
}

/** Decides which requests are recorded. */
type Sampler = (parent: Parent) => boolean;

/**
 * The sampler that `OTEL_TRACES_SAMPLER` names. Every span has a parent, so `parentbased_` samplers
 * follow the parent's decision. A ratio is applied to the trace id, as in the gateway's SDK.
 */
export function samplerOf({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: argument,
}: Environment): Sampler {
  switch (name || 'parentbased_always_on') {
    case 'parentbased_always_on':
    case 'parentbased_always_off':
    case 'parentbased_traceidratio':
      return ({ sampled }) => sampled;
    case 'always_on':
      return () => true;
    case 'always_off':
      return () => false;
    case 'traceidratio': {
      const ratio = Number(argument || 1);
      if (ratio >= 0 && ratio <= 1) return ({ traceId }) => idFraction(traceId) < ratio;
      log('warn', 'OTEL_TRACES_SAMPLER_ARG is no number from 0 to 1: all is sampled', { argument });
      return () => true;
    }
    default:
      log('warn', 'OTEL_TRACES_SAMPLER is unknown: parents decide', { name });
      return ({ sampled }) => sampled;
  }
}

/** The lower 63 bits of a trace's id as a number from 0 to 1. */
function idFraction(traceId: string): number {
  return Number(BigInt(`0x${traceId.slice(16)}`) >> 1n) / 2 ** 63;
}

/**
 * Exports sampled spans of requests with a `traceparent` in batches, as OTLP over HTTP in JSON. The
 * gateway starts traces, so a request without a parent has no span.
 */
export class Tracing {
  private waiting: object[] = [];
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private loggedFailures = 0;
  private loggedAt = Number.NEGATIVE_INFINITY;
  private readonly resource: object;
  private readonly url: string;
  private readonly delay: number;
  private readonly headers: Headers;
  private readonly isSampled: Sampler;

  private constructor(url: string, env: Environment) {
    this.url = url;
    this.delay = Number(env.OTEL_BSP_SCHEDULE_DELAY) || 5_000;
    this.headers = exportHeaders(env);
    this.isSampled = samplerOf(env);
    this.resource = { attributes: pairs(resourceOf(env)) };
  }

  static of(env: Environment): Tracing | undefined {
    const url = tracesUrl(env);
    return url === undefined ? undefined : new Tracing(url, env);
  }

  /** Records a server span that ends now and took `took` milliseconds. */
  record(parent: Parent | undefined, name: string, took: number, status: number, more: Attributes) {
    if (!parent || !this.isSampled(parent) || this.waiting.length >= MAX_QUEUED_SPANS) return;
    const end = BigInt(Date.now()) * 1_000_000n;
    this.waiting.push({
      traceId: parent.traceId,
      spanId: randomBytes(8).toString('hex'),
      parentSpanId: parent.spanId,
      flags: 1,
      name,
      kind: SPAN_KIND_SERVER,
      startTimeUnixNano: String(end - BigInt(Math.round(took * 1e6))),
      endTimeUnixNano: String(end),
      attributes: pairs({
        ...more,
        'http.response.status_code': status,
        ...(status >= 500 && { 'error.type': String(status) }),
      }),
      status: status >= 500 ? { code: STATUS_CODE_ERROR } : {},
    });
    this.timer ??= setTimeout(() => this.flush(), this.delay).unref();
  }

  /** The number of batches that could not be exported. */
  get exportFailures(): number {
    return this.failures;
  }

  /** Exports the queued spans; a batch that cannot be exported is lost. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const spans = this.waiting;
    if (spans.length === 0) return;
    this.waiting = [];
    const scopeSpans = [{ scope: { name: 'sahm' }, spans }];
    const body = JSON.stringify({ resourceSpans: [{ resource: this.resource, scopeSpans }] });
    const { headers } = this;
    const signal = AbortSignal.timeout(EXPORT_TIMEOUT_MS);
    try {
      const answer = await fetch(this.url, { method: 'POST', headers, body, signal });
      if (!answer.ok) this.failed('spans refused', { status: answer.status });
      await answer.arrayBuffer();
    } catch (error) {
      this.failed('spans not sent', { error: String(error) });
    }
  }

  private failed(message: string, why: Record<string, unknown>) {
    this.failures += 1;
    if (performance.now() - this.loggedAt < LOG_INTERVAL_MS) return;
    log('warn', message, { ...why, batches: this.failures - this.loggedFailures });
    this.loggedFailures = this.failures;
    this.loggedAt = performance.now();
  }
}

/** The resource attributes of this process, overridden by `OTEL_RESOURCE_ATTRIBUTES`. */
export function resourceOf(env: Environment): Attributes {
  return {
    'service.namespace': 'sahm',
    'service.name': 'sahm-renderer',
    'service.version': BUILD,
    'service.instance.id': randomUUID(),
    'deployment.environment.name': env.SAHM_ENV || 'dev',
    ...environmentAttributes(env.OTEL_RESOURCE_ATTRIBUTES),
    ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
  };
}

/**
 * Parses `name=value,…` pairs with percent-encoded values; empty if any value cannot be decoded, as
 * OpenTelemetry specifies.
 */
function environmentAttributes(text = ''): Attributes {
  try {
    const pairs = text.split(',').filter((pair) => pair.includes('='));
    return Object.fromEntries(
      pairs.map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
      }),
    );
  } catch (error) {
    log('warn', 'OTEL_RESOURCE_ATTRIBUTES cannot be decoded: left out', { error: String(error) });
    return {};
  }
}

function pairs(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}
