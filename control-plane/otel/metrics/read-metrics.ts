import type { CounterPoint } from '../../coding-agents/counter-rules.ts';
import { readAttributes } from '../attributes.ts';
import { counterPoints } from './counter-points.ts';
import { metricKinds } from '#contract/otlp-metrics.ts';
import type { WireMetric, WireMetricsRequest } from '../protocol/wire.ts';
import { readScope, shortName } from '../read-wire.ts';
import type { RejectedSpan, Scope } from '../span.ts';

export interface ReadMetrics {
  /** The data points whose values are stored. */
  counted: CounterPoint[];
  received: { name: string; scope: Scope }[];
  rejected: (RejectedSpan & { points: number })[];
}

/**
 * Reads the names of the metrics of a request. Most values are sums over calls that logs and spans
 * report one by one, so adding them would count everything twice. Only values that are reported in
 * no other way are kept.
 */
export function readMetrics(request: WireMetricsRequest): ReadMetrics {
  const read: ReadMetrics = { counted: [], received: [], rejected: [] };
  for (const { resource, scopeMetrics } of request.resourceMetrics ?? []) {
    const attributes = readAttributes(resource?.attributes);
    for (const { scope: wireScope, metrics } of scopeMetrics ?? []) {
      const scope = readScope(wireScope);
      for (const metric of metrics ?? [])
        if ('malformed' in metric)
          read.rejected.push({ reason: metric.malformed, scope, trace_id: null, points: 1 });
        else {
          readMetric(metric, scope, read);
          read.counted.push(...counterPoints(metric, scope, attributes));
        }
    }
  }
  return read;
}

function readMetric(metric: WireMetric, scope: Scope, read: ReadMetrics): void {
  const name = shortName(metric.name);
  const points = metricKinds.reduce(
    (sum, kind) => sum + (metric[kind]?.dataPoints?.length ?? 0),
    0,
  );
  if (name === '')
    read.rejected.push({ reason: 'the metric has no name', scope, trace_id: null, points });
  else read.received.push({ name, scope });
}
