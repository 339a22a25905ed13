import type { Json, WireAttributes } from '../attributes.ts';
import type { Halves } from './wire-cursor.ts';

/**
 * The requests of each signal, as decoded from both encodings. Times are the halves of a 64-bit
 * number in protobuf, and text in JSON.
 */
export interface WireRequests {
  traces: WireRequest;
  logs: WireLogsRequest;
  metrics: WireMetricsRequest;
}

export type Signal = keyof WireRequests;

export interface WireRequest {
  resourceSpans?: WireResourceSpans[] | null | undefined;
}

interface WireResourceSpans {
  resource?: WireResource;
  scopeSpans?: WireScopeSpans[] | null | undefined;
}

interface WireScopeSpans {
  scope?: WireScope | null | undefined;
  spans?: (WireSpan | Malformed)[] | null | undefined;
}

export interface WireLogsRequest {
  resourceLogs?:
    | { resource?: WireResource; scopeLogs?: WireScopeLogs[] | null | undefined }[]
    | null
    | undefined;
}

interface WireScopeLogs {
  scope?: WireScope | null | undefined;
  logRecords?: (WireLogRecord | Malformed)[] | null | undefined;
}

export interface WireMetricsRequest {
  resourceMetrics?:
    | { resource?: WireResource; scopeMetrics?: WireScopeMetrics[] | null | undefined }[]
    | null
    | undefined;
}

interface WireScopeMetrics {
  scope?: WireScope | null | undefined;
  metrics?: (WireMetric | Malformed)[] | null | undefined;
}

/** Replaces a malformed span, log record or metric, and says why. */
export interface Malformed {
  malformed: string;
  /** The id of its trace, as sent; undefined if that is not a text. */
  traceId?: WireId | undefined;
}

type WireResource = { attributes?: WireAttributes } | null | undefined;

export interface WireScope {
  name?: string | null | undefined;
  version?: string | null | undefined;
}

/** An id in hexadecimal. */
export type WireId = string;

/** Nanoseconds since 1970. */
export type WireTime = string | number | Halves | null | undefined;

export interface WireSpan {
  traceId: WireId;
  spanId: WireId;
  parentSpanId?: WireId | null | undefined;
  flags?: number | null | undefined;
  name?: string | null | undefined;
  startTimeUnixNano?: WireTime;
  endTimeUnixNano?: WireTime;
  attributes?: WireAttributes;
  events?: WireEvent[] | null | undefined;
  status?:
    | { code?: number | string | null | undefined; message?: string | null | undefined }
    | null
    | undefined;
}

export interface WireEvent {
  name?: string | null | undefined;
  timeUnixNano?: WireTime;
  attributes?: WireAttributes;
}

export interface WireLogRecord {
  timeUnixNano?: WireTime;
  observedTimeUnixNano?: WireTime;
  eventName?: string | null | undefined;
  body?: Json;
  attributes?: WireAttributes;
  traceId?: WireId | null | undefined;
  spanId?: WireId | null | undefined;
}

/** The members of a sum's data point that are read. */
export interface WirePoint {
  attributes?: WireAttributes;
  startTimeUnixNano?: WireTime;
  timeUnixNano?: WireTime;
  asDouble?: unknown;
  asInt?: unknown;
}

type Points =
  | { aggregationTemporality?: unknown; dataPoints?: WirePoint[] | null | undefined }
  | null
  | undefined;

export interface WireMetric {
  name: string;
  gauge?: Points;
  sum?: Points;
  histogram?: Points;
  exponentialHistogram?: Points;
  summary?: Points;
}
