import type { Attributes } from './attributes.ts';

/** A span as it is worked with, whatever it came as. Times are milliseconds since 1970. */
export interface OtelSpan {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  /** The parent belongs to another service, so that here this is the uppermost span. */
  has_remote_parent: boolean;
  name: string;
  started_at: number;
  ended_at: number;
  /** Start in microseconds since 1970: what orders the spans of a run. */
  position: number;
  /** What went wrong; null when nothing did. */
  error: string | null;
  attributes: Attributes;
  events: readonly SpanEvent[];
  resource: Attributes;
  scope: Scope;
}

export interface SpanEvent {
  name: string;
  at: number;
  attributes: Attributes;
}

/** The instrumentation that made a span. */
export interface Scope {
  name: string;
  version: string;
}

export interface RejectedSpan {
  reason: string;
  scope: Scope;
}
