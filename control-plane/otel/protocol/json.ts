import { z } from 'zod';
import { ApiError, describeIssues } from '#contract/errors.ts';
import { otlpSpan, traceEnvelope } from '#contract/otel.ts';
import { logsEnvelope, otlpLogRecord } from '#contract/otlp-logs.ts';
import { metricsEnvelope, otlpMetric } from '#contract/otlp-metrics.ts';
import { lazilyCompiled } from '../../lib/lazily-compiled.ts';
import { readValue } from '../attributes.ts';
import type { Malformed, Signal, WireLogRecord, WireRequests } from './wire.ts';

/** @throws ApiError `bad_request` or `validation_error` if the body is not such a request */
export function decodeJson<S extends Signal>(signal: S, bytes: Uint8Array): WireRequests[S] {
  return decoders[signal](parse(bytes));
}

const envelopes = {
  traces: lazilyCompiled(traceEnvelope),
  logs: lazilyCompiled(logsEnvelope),
  metrics: lazilyCompiled(metricsEnvelope),
};
const span = lazilyCompiled(otlpSpan);
const logRecord = lazilyCompiled(otlpLogRecord);
const metric = lazilyCompiled(otlpMetric);

const decoders: { [S in Signal]: (body: unknown) => WireRequests[S] } = {
  traces: (body) => ({
    resourceSpans: decode(envelopes.traces(), body).resourceSpans?.map(
      ({ resource, scopeSpans }) => ({
        resource,
        scopeSpans: scopeSpans?.map(({ scope, spans }) => ({
          scope,
          spans: spans?.map((one) => checked(span(), one, 'the span')),
        })),
      }),
    ),
  }),
  logs: (body) => ({
    resourceLogs: decode(envelopes.logs(), body).resourceLogs?.map(({ resource, scopeLogs }) => ({
      resource,
      scopeLogs: scopeLogs?.map(({ scope, logRecords }) => ({
        scope,
        logRecords: logRecords?.map(readRecord),
      })),
    })),
  }),
  metrics: (body) => ({
    resourceMetrics: decode(envelopes.metrics(), body).resourceMetrics?.map(
      ({ resource, scopeMetrics }) => ({
        resource,
        scopeMetrics: scopeMetrics?.map(({ scope, metrics }) => ({
          scope,
          metrics: metrics?.map((one) => checked(metric(), one, 'the metric')),
        })),
      }),
    ),
  }),
};

function readRecord(value: unknown): WireLogRecord | Malformed {
  const record = checked(logRecord(), value, 'the record');
  return 'malformed' in record ? record : { ...record, body: readValue(record.body) };
}

function decode<Z extends z.ZodType>(schema: Z, body: unknown): z.output<Z> {
  const result = z.safeDecode(schema, body as z.input<Z>);
  if (!result.success) throw new ApiError('validation_error', describeIssues(result.error, 'body'));
  return result.data;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch (error) {
    throw new ApiError('malformed_request', `the body is not JSON: ${(error as Error).message}`);
  }
}

function checked<Z extends z.ZodType>(
  schema: Z,
  value: unknown,
  name: string,
): z.output<Z> | Malformed {
  const result = z.safeDecode(schema, value as z.input<Z>);
  if (result.success) return result.data;
  return { malformed: firstIssue(result.error, name), traceId: traceIdIn(value) };
}

function traceIdIn(value: unknown): string | undefined {
  const { traceId } = (value ?? {}) as { traceId?: unknown };
  return typeof traceId === 'string' ? traceId : undefined;
}

/** Describes the first issue without list indices, because rejections are counted by reason. */
const firstIssue = ({ issues }: z.ZodError, name: string): string =>
  describeIssues(new z.ZodError(issues.slice(0, 1)), name).replaceAll(/\[\d+\]/g, '[]');
