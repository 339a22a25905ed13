import { z } from 'zod';
import { count, page, paging, timestamp } from './fields.ts';
import { routes } from './route.ts';

/** Values are checked one by one, when they are read: one that is odd must not cost the others. */
const attributes = z
  .array(z.object({ key: z.string(), value: z.unknown().optional() }))
  .nullish()
  .meta({ description: 'OTLP key and value pairs' });

/** 64-bit numbers are text in OTLP's JSON; numbers are taken too. */
const nanoseconds = z
  .union([z.string().regex(/^\d{1,20}$/, 'expected nanoseconds since 1970'), z.number().min(0)])
  .nullish();

const scope = z.object({ name: z.string().nullish(), version: z.string().nullish() }).nullish();

/** Protobuf's JSON writes enums as numbers or by their names. */
const statusCode = z.union(
  [z.int(), z.enum(['STATUS_CODE_UNSET', 'STATUS_CODE_OK', 'STATUS_CODE_ERROR'])],
  'expected a code of OTLP, as a number or by its name',
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
          resource: z.object({ attributes }).nullish(),
          scopeSpans: z.array(z.object({ scope, spans: z.array(span).nullish() })).nullish(),
        }),
      )
      .nullish(),
  });

/** OTLP's ExportTraceServiceRequest in JSON; what is not named here is ignored. */
export const traceRequest = requestWith(otlpSpan).meta({
  examples: [
    {
      resourceSpans: [
        { resource: { attributes: [service] }, scopeSpans: [{ spans: [spanExample] }] },
      ],
    },
  ],
});

/** The same before its spans are checked, one by one: one that is malformed must not cost the others. */
export const traceEnvelope = requestWith(z.unknown());

export const traceResponse = z.object({
  partialSuccess: z
    .object({ rejectedSpans: z.string(), errorMessage: z.string() })
    .optional()
    .meta({ description: 'absent when every span was taken' }),
});
export type TraceResponse = z.output<typeof traceResponse>;

const seen = {
  scope: z.string().meta({ description: 'name of the instrumentation scope' }),
  scope_version: z.string().meta({ description: 'the highest that was seen' }),
  count,
  last_seen: timestamp,
};

const session = { auth: 'session', role: 'viewer', errors: 'text', method: 'GET' } as const;

export const otelRoutes = routes({
  exportTraces: {
    auth: 'api-key',
    permission: 'record',
    errors: 'rpc',
    method: 'POST',
    path: '/api/v1/otel/v1/traces/',
    summary: 'Take OpenTelemetry spans: OTLP over HTTP, as protobuf or JSON, plain or gzip',
    consumes: ['application/json', 'application/x-protobuf'],
    protobuf: {
      request: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
      response: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse',
    },
    body: traceRequest,
    response: traceResponse,
  },
  listUnmappedAttributes: {
    ...session,
    path: '/api/v1/observability/otel/unmapped/',
    summary: 'Attributes of GenAI spans that no rule understood, the most frequent first',
    query: z.object(paging),
    response: page(
      z.object({
        name: z.string().meta({
          description: '`name = value` where only the value is unknown, `event name` of an event',
        }),
        ...seen,
      }),
    ),
  },
  listRejectedSpans: {
    ...session,
    path: '/api/v1/observability/otel/rejected/',
    summary: 'Why spans were rejected, the most frequent reason first',
    query: z.object(paging),
    response: page(z.object({ reason: z.string(), ...seen })),
  },
});
