import type { OfTenant } from './of-tenant.ts';

/** State of OpenTelemetry traces, so that spans may arrive in any order, and twice. */
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
   * `settled`: idle for long, so that only the data to detect duplicates is kept.
   */
  state: 'plain' | 'open' | 'complete' | 'settled';
  seen_at: number;
  /**
   * JSON of all its spans, while they came in one request and are all of an AI agent; null once they
   * are rows of `otel_spans`.
   */
  spans: string | null;
}

interface OtelSpanTable extends OfTenant {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  /**
   * `call`: inference or embedding; `boundary`: a tool, an agent and the like, below which data of
   * a call above is not repeated; `span`: other work of an AI agent; `plain`: anything else.
   */
  kind: 'call' | 'boundary' | 'span' | 'plain';
  /** A call with its own prompt or response. */
  has_text: number;
  /** A failed call, which is also recorded as a span. */
  failed: number;
  /** A call stored in `llm_calls`: no other call is nested in it. */
  counted: number;
  /** Its id there; 0 for none. */
  call_id: number;
  /** Its start in microseconds since 1970. */
  position: number;
}

/** Counts of unmapped and rejected telemetry, and of metrics. */
interface OtelUnmappedTable extends OfTenant {
  kind: 'attribute' | 'rejection' | 'metric';
  name: string;
  scope: string;
  scope_version: string;
  seen_count: number;
  last_seen: number;
}
