import { exposition, type Metric, type Sample } from './exposition.ts';
import { createProcessMetrics } from './process.ts';
import { createRequestMetrics, type RequestMetrics } from './requests.ts';

type Reading = number | readonly Sample[];

/** Metrics for operators. Gauges are read on scrape. */
export interface Metrics {
  observeRequest: RequestMetrics['observe'];
  /** Adds a gauge that is read on each scrape. It is omitted if reading fails. */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void;
  /** Returns all metrics in Prometheus text format. */
  text(): Promise<string>;
}

export function createMetrics(): Metrics {
  const requests = createRequestMetrics();
  const ofProcess = createProcessMetrics();
  const gauges: (() => Promise<Metric>)[] = [];
  return {
    observeRequest: requests.observe,
    gauge(name, help, read) {
      gauges.push(async () => {
        const value = await read();
        const samples = typeof value === 'number' ? [{ value }] : value;
        return { name: `gatehouse_${name}`, help, type: 'gauge', samples };
      });
    },
    async text() {
      const read = await Promise.allSettled(gauges.map((gauge) => gauge()));
      const readings = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      return exposition([...ofProcess(), ...readings, ...requests.collect()]);
    },
  };
}
