import { monitorEventLoopDelay } from 'node:perf_hooks';
import { version } from '../startup/version.ts';
import type { Metric } from './exposition.ts';

const RESOLUTION_MS = 20;

type Delay = ReturnType<typeof monitorEventLoopDelay>;

/** Creates the metrics of this process. The event loop is monitored from the first scrape on. */
export function createProcessMetrics(): () => Metric[] {
  let delay: Delay | undefined;
  return () => {
    if (!delay) {
      delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      delay.enable();
    }
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const metrics = [
      gauge('process_resident_memory_bytes', 'Resident memory', rss),
      gauge('nodejs_heap_used_bytes', 'JavaScript heap in use', heapUsed),
      gauge(
        'process_start_time_seconds',
        'Start time of the process, in seconds since 1970',
        Math.round(Date.now() / 1000 - process.uptime()),
      ),
      {
        ...gauge('process_cpu_seconds_total', 'User and system CPU time', (user + system) / 1e6),
        type: 'counter',
      },
      {
        ...gauge('gatehouse_build_info', 'Version of Gatehouse and Node.js', 1),
        samples: [{ labels: { version, node: process.version }, value: 1 }],
      },
      loopDelay(delay),
    ] satisfies Metric[];
    delay.reset();
    return metrics;
  };
}

const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
});

/**
 * Returns the delay of the event loop. The histogram measures whole intervals, and the time beyond
 * the resolution is delay.
 */
const loopDelay = (delay: Delay): Metric => {
  const seconds = (nanoseconds: number): number =>
    Math.max(0, (nanoseconds || 0) / 1e9 - RESOLUTION_MS / 1000);
  const of = (quantile: string, value: number) => ({ labels: { quantile }, value: seconds(value) });
  return {
    name: 'gatehouse_event_loop_lag_seconds',
    help: 'Event loop delay since the last scrape',
    type: 'gauge',
    samples: [
      of('0.5', delay.percentile(50)),
      of('0.99', delay.percentile(99)),
      of('1', delay.max),
    ],
  };
};
