import type { Route } from '#contract/route.ts';
import type { Metric } from './exposition.ts';

/** The upper bounds of the buckets, in seconds. */
const BOUNDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;

interface Series {
  route: string;
  method: string;
  statuses: Map<number, number>;
  /** The counts per bucket, plus one beyond the last bound; not cumulative. */
  counts: number[];
  /** In seconds. */
  sum: number;
}

export type RouteName = Pick<Route, 'method' | 'path'>;

/** Used for requests outside of the contract: files, pages, and unknown paths. */
const UNROUTED: RouteName = { method: 'GET', path: '/…' };

export interface RequestMetrics {
  /**
   * Counts a request. It is called thousands of times per second, so it must take only nanoseconds.
   */
  observe: (route: RouteName | undefined, status: number, ms: number) => void;
  collect(): Metric[];
}

/**
 * Counts requests by route, never by path, so that the number of series is bounded by the routes in
 * the contract.
 */
export function createRequestMetrics(): RequestMetrics {
  const all = new Map<RouteName, Series>();
  return {
    observe(route = UNROUTED, status, ms) {
      let series = all.get(route);
      if (!series) all.set(route, (series = newSeries(route)));
      const seconds = ms / 1000;
      series.statuses.set(status, (series.statuses.get(status) ?? 0) + 1);
      series.sum += seconds;
      let at = 0;
      while (at < BOUNDS.length && seconds > (BOUNDS[at] as number)) at += 1;
      series.counts[at] = (series.counts[at] as number) + 1;
    },
    collect: () => [counterOf([...all.values()]), histogramOf([...all.values()])],
  };
}

const newSeries = ({ method, path }: RouteName): Series => ({
  route: path,
  method,
  statuses: new Map(),
  counts: Array.from({ length: BOUNDS.length + 1 }, () => 0),
  sum: 0,
});

const counterOf = (all: readonly Series[]): Metric => ({
  name: 'gatehouse_http_requests_total',
  help: 'Completed requests, by route and status',
  type: 'counter',
  samples: all.flatMap(({ route, method, statuses }) =>
    [...statuses].map(([status, value]) => ({
      labels: { route, method, status: String(status) },
      value,
    })),
  ),
});

const histogramOf = (all: readonly Series[]): Metric => ({
  name: 'gatehouse_http_request_duration_seconds',
  help: 'Time from request headers to response, by route',
  type: 'histogram',
  samples: all.flatMap(({ route, method, counts, sum }) => {
    const labels = { route, method };
    let total = 0;
    const buckets = counts.map((count, i) => ({
      suffix: '_bucket',
      labels: { ...labels, le: String(BOUNDS[i] ?? '+Inf') },
      value: (total += count),
    }));
    return [
      ...buckets,
      { suffix: '_sum', labels, value: sum },
      { suffix: '_count', labels, value: total },
    ];
  }),
});
