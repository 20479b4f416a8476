import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { droppedLines } from './log';

/** Bounds of render times, seconds: up to what a render may take (docs/limits-and-timeouts.md). */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5];

interface Times {
  /** How many took at most as long as the bound at the same place. */
  within: number[];
  count: number;
  sum: number;
}

/**
 * What operators see of this process, as Prometheus text. Names and units are OpenTelemetry's where
 * it has them; the delays are those since the text was asked for last.
 */
export class Metrics {
  private readonly delay = monitorEventLoopDelay({ resolution: 10 });
  private readonly renders = new Map<number, Times>();

  constructor() {
    this.delay.enable();
  }

  /** Counts a render request by the HTTP status it was answered with. */
  rendered(status: number, seconds: number): void {
    const times = this.renders.get(status) ?? { within: BOUNDS.map(() => 0), count: 0, sum: 0 };
    this.renders.set(status, times);
    BOUNDS.forEach((bound, at) => {
      if (seconds <= bound) times.within[at] = (times.within[at] ?? 0) + 1;
    });
    times.count += 1;
    times.sum += seconds;
  }

  /** The text; with the batches of spans that were not exported, where spans are. */
  text(exportFailures?: number): string {
    const { active, idle } = performance.eventLoopUtilization();
    const { user, system } = process.cpuUsage();
    const heap = getHeapStatistics();
    const text = [
      ...this.renderTimes(),
      ...family('nodejs_eventloop_delay_p99_seconds', 'gauge', 'How late timers were, 99 %', [
        ['', this.delay.percentile(99) / 1e9],
      ]),
      ...family('nodejs_eventloop_delay_max_seconds', 'gauge', 'How late timers were at most', [
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
      ...family('v8js_memory_heap_max_bytes', 'gauge', 'Heap at most', [
        ['', heap.heap_size_limit],
      ]),
      ...family('renderer_log_dropped_total', 'counter', 'Log lines that nobody read in time', [
        ['', droppedLines()],
      ]),
      ...(exportFailures === undefined
        ? []
        : family('otel_export_failures_total', 'counter', 'Batches that no collector took', [
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

/** Nothing was measured yet: that is no delay. */
function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
