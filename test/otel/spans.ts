import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { traceRequest } from '#contract/otel.ts';

export type WireRequest = z.input<typeof traceRequest>;
export type Value = string | number | boolean | null | readonly Value[] | { [key: string]: Value };

export const START = Date.parse('2026-03-01T10:00:00.000Z');

export interface TestSpan {
  trace?: string;
  id: string;
  parent?: string;
  name?: string;
  /** Milliseconds after START. */
  from?: number;
  to?: number;
  attributes?: Record<string, Value>;
  events?: { name: string; attributes: Record<string, Value> }[];
  error?: string;
  /** The name of its scope, if that is another one than of the request. */
  scope?: string;
  flags?: number;
}

export const newTraceId = (): string => randomBytes(16).toString('hex');

/** A span id from a short name. */
export const spanId = (name: string): string =>
  Buffer.from(name.padEnd(8, '.').slice(0, 8)).toString('hex');

export const keyValues = (attributes: Record<string, Value>) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (Number.isSafeInteger(value)) return { intValue: `${value as number}` };
  if (typeof value === 'number') return { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return value === null ? {} : { kvlistValue: { values: keyValues(value as never) } };
}

const nano = (ms: number): string => `${BigInt(START + ms) * 1_000_000n}`;

const wireSpan = (span: TestSpan, trace: string) => ({
  traceId: span.trace ?? trace,
  spanId: spanId(span.id),
  ...(span.parent && { parentSpanId: spanId(span.parent) }),
  name: span.name ?? span.id,
  startTimeUnixNano: nano(span.from ?? 0),
  endTimeUnixNano: nano(span.to ?? 1000),
  attributes: keyValues(span.attributes ?? {}),
  events: (span.events ?? []).map(({ name, attributes }) => ({
    name,
    timeUnixNano: nano(span.to ?? 1000),
    attributes: keyValues(attributes),
  })),
  ...(span.error !== undefined && { status: { code: 2, message: span.error } }),
  ...(span.flags !== undefined && { flags: span.flags }),
});

/** A request as the OpenTelemetry SDK sends it, with all spans in one resource. */
export const requestOf = (
  spans: readonly TestSpan[],
  { trace = newTraceId(), resource = {}, scope = { name: 'test', version: '1' } } = {},
): WireRequest => ({
  resourceSpans: [
    {
      resource: { attributes: keyValues(resource) },
      scopeSpans: [...Map.groupBy(spans, (span) => span.scope ?? scope.name)].map(
        ([name, own]) => ({
          scope: { ...scope, name },
          spans: own.map((span) => wireSpan(span, trace)),
        }),
      ),
    },
  ],
});
