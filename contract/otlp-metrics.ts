import { z } from 'zod';
import { resource, scope } from './otlp-parts.ts';

/**
 * The data points of a metric. Their members are validated when they are read, because only the
 * sums of some metrics are used.
 */
const points = z
  .object({
    aggregationTemporality: z.unknown().optional(),
    dataPoints: z.array(z.looseObject({})).nullish(),
  })
  .nullish();

/** The types of metrics in OTLP, each of which is a separate member. */
export const metricKinds = [
  'gauge',
  'sum',
  'histogram',
  'exponentialHistogram',
  'summary',
] as const;

export const otlpMetric = z.object({
  name: z.string().min(1, 'expected the name of a metric'),
  gauge: points,
  sum: points,
  histogram: points,
  exponentialHistogram: points,
  summary: points,
});

const requestWith = <S extends z.ZodType>(metric: S) =>
  z.object({
    resourceMetrics: z
      .array(
        z.object({
          resource,
          scopeMetrics: z.array(z.object({ scope, metrics: z.array(metric).nullish() })).nullish(),
        }),
      )
      .nullish(),
  });

const example = {
  resourceMetrics: [
    {
      scopeMetrics: [
        {
          scope: { name: 'com.anthropic.claude_code', version: '2.1.197' },
          metrics: [{ name: 'claude_code.session.count', sum: { dataPoints: [{ asDouble: 1 }] } }],
        },
      ],
    },
  ],
};

/** OTLP's ExportMetricsServiceRequest as JSON. Other fields are ignored. */
export const metricsRequest = requestWith(otlpMetric).meta({ examples: [example] });

/** The request before its metrics are validated one by one. */
export const metricsEnvelope = requestWith(z.unknown());

export const metricsResponse = z.object({
  partialSuccess: z
    .object({ rejectedDataPoints: z.string(), errorMessage: z.string() })
    .optional()
    .meta({ description: 'omitted if all data points were accepted' }),
});
