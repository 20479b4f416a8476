import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { droppedLines } from './log';

/**
 * Bucket bounds of render times in seconds, up to the render timeout (docs/limits-and-timeouts.md).
 */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5];

interface Times {
  /** The number of renders that took at most the bound at the same index. */
  within: number[];
  count: number;
  sum: number;
}

/**
 * Metrics of this process in the Prometheus text format. Names and units follow OpenTelemetry's
 * semantic conventions. Event loop delays cover the time since the last scrape.
 */
export class Metrics {
  private readonly delay = monitorEventLoopDelay({ resolution: 10 });
  private readonly renders = new Map<number, Times>();

  constructor() {
    this.delay.enable();
  }

  /** Counts a render request by the HTTP status of its response. */
  rendered(status: number, seconds: number): void {
    const times = this.renders.get(status) ?? { within: BOUNDS.map(() => 0), count: 0, sum: 0 };
    this.renders.set(status, times);
    BOUNDS.forEach((bound, at) => {
      if (seconds <= bound) times.within[at] = (times.within[at] ?? 0) + 1;
    });
    times.count += 1;
    times.sum += seconds;
  }

  /** The metrics as text, with the number of failed exports if spans are exported. */
  text(exportFailures?: number): string {
    const { active, idle } = performance.eventLoopUtilization();
    const { user, system } = process.cpuUsage();
    const heap = getHeapStatistics();
    const text = [
      ...this.renderTimes(),
      ...family(
        'nodejs_eventloop_delay_p99_seconds',
        'gauge',
        'Event loop delay, 99th percentile',
        [['', this.delay.percentile(99) / 1e9]],
      ),
      ...family('nodejs_eventloop_delay_max_seconds', 'gauge', 'Maximum event loop delay', [
        ['', this.delay.max / 1e9],
      ]),
      ...family('nodejs_eventloop_time_seconds_total', 'counter', 'Time of the event loop', [
        ['nodejs_eventloop_state="active"', active / 1000],
        ['nodejs_eventloop_state="idle"', idle / 1000],
      ]),
      ...family('process_cpu_time_seconds_total', 'counter', 'Time of all threads', [
        ['cpu_mode="user"', user / 1e6],
        ['cpu_mode="system"', system / 1e6],
      ]),
      ...family('process_memory_usage_bytes', 'gauge', 'Resident memory', [
        ['', process.memoryUsage.rss()],
      ]),
      ...family('v8js_memory_heap_used_bytes', 'gauge', 'Heap in use', [['', heap.used_heap_size]]),
      ...family('v8js_memory_heap_max_bytes', 'gauge', 'Heap size limit', [
        ['', heap.heap_size_limit],
      ]),
      ...family(
        'renderer_log_dropped_total',
        'counter',
        'Log lines dropped because the buffer was full',
        [['', droppedLines()]],
      ),
      ...(exportFailures === undefined
        ? []
        : family('otel_export_failures_total', 'counter', 'Failed exports', [
            ['signal="traces"', exportFailures],
          ])),
    ];
    this.delay.reset();
    return `${text.join('\n')}\n`;
  }

  private renderTimes(): string[] {
    const name = 'renderer_render_duration_seconds';
    const lines = [`# HELP ${name} Renders by status`, `# TYPE ${name} histogram`];
    for (const [status, { within, count, sum }] of this.renders) {
      const label = `http_response_status_code="${status}"`;
      BOUNDS.forEach((bound, at) => {
        lines.push(`${name}_bucket{${label},le="${bound}"} ${within[at]}`);
      });
      lines.push(`${name}_bucket{${label},le="+Inf"} ${count}`);
      lines.push(`${name}_sum{${label}} ${sum}`, `${name}_count{${label}} ${count}`);
    }
    return lines;
  }
}

function family(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  values: [labels: string, value: number][],
) {
  const line = ([labels, value]: [string, number]) =>
    labels ? `${name}{${labels}} ${finite(value)}` : `${name} ${finite(value)}`;
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values.map(line)];
}

/** Zero for a histogram without samples, whose statistics are not finite. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
