import { z } from 'zod';
import { count, jsonOf, page, paging, timestamp } from './fields.ts';
import { logsRequest, logsResponse } from './otlp-logs.ts';
import { metricsRequest, metricsResponse } from './otlp-metrics.ts';
import { attributes, nanoseconds, resource, scope } from './otlp-parts.ts';
import { routes } from './route.ts';

/** An enum, which is a number or a name in the JSON format of protobuf. */
const statusCode = z.union(
  [z.int(), z.enum(['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'])],
  'expected an OTLP status code, as a number or a name',
);

export const otlpSpan = z.object({
  traceId: z.string().meta({ description: '32 hexadecimal digits' }),
  spanId: z.string().meta({ description: '16 hexadecimal digits' }),
  parentSpanId: z.string().nullish(),
  flags: z.number().nullish(),
  name: z.string().nullish(),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  events: z
    .array(z.object({ name: z.string().nullish(), timeUnixNano: nanoseconds, attributes }))
    .nullish(),
  status: z.object({ code: statusCode.nullish(), message: z.string().nullish() }).nullish(),
});

const spanExample = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
  name: 'chat gpt-4o',
  startTimeUnixNano: '1772359200000000000',
  endTimeUnixNano: '1772359200840000000',
  attributes: [
    { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
    { key: 'gen_ai.provider.name', value: { stringValue: 'openai' } },
    { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
    { key: 'gen_ai.usage.input_tokens', value: { intValue: '1000' } },
    { key: 'gen_ai.usage.output_tokens', value: { intValue: '500' } },
  ],
};

const service = { key: 'service.name', value: { stringValue: 'support' } };

const requestWith = <S extends z.ZodType>(span: S) =>
  z.object({
    resourceSpans: z
      .array(
        z.object({
          resource,
          scopeSpans: z.array(z.object({ scope, spans: z.array(span).nullish() })).nullish(),
        }),
      )
      .nullish(),
  });

/** OTLP's ExportTraceServiceRequest as JSON. Other fields are ignored. */
export const traceRequest = requestWith(otlpSpan).meta({
  examples: [
    {
      resourceSpans: [
        { resource: { attributes: [service] }, scopeSpans: [{ spans: [spanExample] }] },
      ],
    },
  ],
});

/**
 * The request before its spans are validated one by one, so that a malformed span does not reject
 * the others.
 */
export const traceEnvelope = requestWith(z.unknown());

export const traceResponse = z.object({
  partialSuccess: z
    .object({ rejectedSpans: z.string(), errorMessage: z.string() })
    .optional()
    .meta({ description: 'omitted if all spans were accepted' }),
});
export type TraceResponse = z.output<typeof traceResponse>;

const occurrence = {
  scope: z.string().meta({ description: 'name of the instrumentation scope' }),
  scope_version: z.string().meta({ description: 'highest version received' }),
  count,
  last_seen: timestamp,
};

/** A value that no rule read, as far as it may be stored. */
const unmappedExample = z.object({
  type: z
    .enum(['string', 'number', 'boolean', 'null', 'array', 'object', 'event'])
    .meta({ description: '`event` if the name is that of an event' }),
  length: count.nullable().meta({
    description:
      'characters of a string, items of an array, members of an object, attributes of an event; null for other types',
  }),
  text: z.string().nullable().meta({
    description:
      'the first 100 characters of the masked value, or up to 500 of the attributes of an event as `name=value`; null if the device may not report texts',
  }),
});
export type UnmappedExample = z.output<typeof unmappedExample>;

/** Where a name or a rejection was last found. */
const lastTrace = {
  trace_id: z.string().nullable().meta({
    description: 'trace that last contained it; null if none did, or beyond the retention',
  }),
  run_id: z.int().nullable().meta({ description: 'run of this trace, if there still is one' }),
};

const session = { auth: 'session', role: 'viewer', errors: 'text', method: 'GET' } as const;

/** The properties of routes for OTLP over HTTP, as protobuf or JSON, plain or gzip. */
const exporting = {
  auth: 'api-key',
  permission: 'record',
  recordingKeys: true,
  errors: 'rpc',
  method: 'POST',
  consumes: ['application/json', 'application/x-protobuf'],
} as const;

export const otelRoutes = routes({
  exportTraces: {
    ...exporting,
    path: '/api/v1/otel/v1/traces/',
    summary: 'Export OpenTelemetry spans: OTLP over HTTP, as protobuf or JSON, plain or gzip',
    protobuf: {
      request: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
      response: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse',
    },
    body: traceRequest,
    response: traceResponse,
  },
  exportLangfuseSpans: {
    ...exporting,
    path: '/api/v1/otel/api/public/otel/v1/traces/',
    summary: 'Export spans of Langfuse’s SDKs, whose LANGFUSE_BASE_URL ends with /api/v1/otel',
    protobuf: {
      request: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
      response: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse',
    },
    body: traceRequest,
    response: traceResponse,
  },
  exportLogs: {
    ...exporting,
    path: '/api/v1/otel/v1/logs/',
    summary: 'Export OpenTelemetry log records: OTLP over HTTP, as protobuf or JSON, plain or gzip',
    protobuf: {
      request: 'opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest',
      response: 'opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse',
    },
    body: logsRequest,
    response: logsResponse,
  },
  exportMetrics: {
    ...exporting,
    path: '/api/v1/otel/v1/metrics/',
    summary: 'Export OpenTelemetry metrics: OTLP over HTTP, as protobuf or JSON, plain or gzip',
    protobuf: {
      request: 'opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest',
      response: 'opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse',
    },
    body: metricsRequest,
    response: metricsResponse,
  },
  listUnmappedAttributes: {
    ...session,
    path: '/api/v1/observability/otel/unmapped/',
    summary: 'List unmapped attributes of GenAI spans and unmapped events, most frequent first',
    query: z.object(paging),
    response: page(
      z.object({
        name: z.string().meta({
          description: '`name = value` if only the value is unmapped, `event name` for an event',
        }),
        ...occurrence,
        ...lastTrace,
        example: jsonOf(unmappedExample)
          .nullable()
          .meta({ description: 'its last value; null beyond the retention' }),
      }),
    ),
  },
  listRejectedSpans: {
    ...session,
    path: '/api/v1/observability/otel/rejected/',
    summary: 'List the reasons of rejected spans, most frequent first',
    query: z.object(paging),
    response: page(z.object({ reason: z.string(), ...occurrence, ...lastTrace })),
  },
  listReceivedMetrics: {
    ...session,
    path: '/api/v1/observability/otel/metrics/',
    summary: 'List the names of received metrics, most frequent first; their values are not kept',
    query: z.object(paging),
    response: page(z.object({ name: z.string(), ...occurrence })),
  },
});
