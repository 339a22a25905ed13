import type { OfTenant } from './of-tenant.ts';

/** The state of OpenTelemetry traces, so that spans may arrive in any order, and more than once. */
export interface OtelTables {
  otel_traces: OtelTraceTable;
  otel_spans: OtelSpanTable;
  otel_unknowns: OtelUnmappedTable;
}

interface OtelTraceTable extends OfTenant {
  trace_id: string;
  /** Null until a span of an AI agent has arrived. */
  run_id: number | null;
  /** JSON of the run's facts from its spans; null before the first is stored. */
  facts: string | null;
  /**
   * `plain`: no AI agent spans; `open`: its root span has not arrived; `complete`: it has;
   * `settled`: idle for so long that only the data for detecting duplicates is kept.
   */
  state: 'plain' | 'open' | 'complete' | 'settled';
  seen_at: number;
  /**
   * JSON of all spans, while they came in one request and all belong to an AI agent. Null once they
   * are rows of `otel_spans`.
   */
  spans: string | null;
}

interface OtelSpanTable extends OfTenant {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  /**
   * `call`: inference or embedding. `boundary`: a tool, an agent or similar, below which data of an
   * outer call is not repeated. `span`: other work of an AI agent. `plain`: any other span.
   */
  kind: 'call' | 'boundary' | 'span' | 'plain';
  /** Whether it is a call with its own prompt or response. */
  has_text: number;
  /** Whether it is a failed call, which is also recorded as a span. */
  failed: number;
  /**
   * Whether it is a call stored in `llm_calls`, which requires that no other call is nested in it,
   * and that no other report of the same call is preferred.
   */
  counted: number;
  /** The id of the call in `llm_calls`; 0 if there is none. */
  call_id: number;
  /** The start of the span in microseconds since 1970. */
  position: number;
  /**
   * A hash of what all reports of a call have in common: its model, and its tokens or its error.
   * Null, like the columns below, if it is no call, or a call without a parent span.
   */
  call_key: string | null;
  /** The instrumentation that reported the call. */
  scope: string | null;
  /** The provider's id of the response, as stored with the call. */
  response_id: string | null;
  /** The end of the call in milliseconds since 1970. */
  ended_at: number | null;
}

/** Counts of unmapped and rejected telemetry, and of metrics. */
interface OtelUnmappedTable extends OfTenant {
  kind: 'attribute' | 'rejection' | 'metric';
  name: string;
  scope: string;
  scope_version: string;
  seen_count: number;
  last_seen: number;
  /** The trace in which the name was last found; null if it was found outside of traces. */
  trace_id: string | null;
  /** JSON of the last value, as far as it may be stored. */
  example: string | null;
}
