import type { OfTenant } from './of-tenant.ts';

/** What is remembered of OpenTelemetry traces, so that spans may come in any order, and twice. */
export interface OtelTables {
  otel_traces: OtelTraceTable;
  otel_spans: OtelSpanTable;
  otel_unknowns: OtelUnmappedTable;
}

interface OtelTraceTable extends OfTenant {
  trace_id: string;
  /** Null as long as no span of an AI agent has come. */
  run_id: number | null;
  /** JSON of what its spans tell of the run; null before the first is stored. */
  facts: string | null;
  /**
   * `plain`: nothing of an AI agent; `open`: its uppermost span has not come; `complete`: it has;
   * `settled`: nothing came for long, so that only what tells repetitions apart is kept.
   */
  state: 'plain' | 'open' | 'complete' | 'settled';
  seen_at: number;
}

interface OtelSpanTable extends OfTenant {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  /**
   * `call`: inference or embedding; `boundary`: a tool, an agent and the like, below which nothing
   * is told again of a call above; `span`: other work of an AI agent; `plain`: anything else.
   */
  kind: 'call' | 'boundary' | 'span' | 'plain';
  /** A call that brought a prompt or a response of its own. */
  has_text: number;
  /** A call that went wrong, of which a span tells too. */
  failed: number;
  /** A call that stands in `llm_calls`: no other call is nested in it. */
  counted: number;
  /** Its id there; 0 for none. */
  call_id: number;
  /** Its start in microseconds since 1970. */
  position: number;
}

/** What was not understood or not taken, counted. */
interface OtelUnmappedTable extends OfTenant {
  kind: 'attribute' | 'rejection';
  name: string;
  scope: string;
  scope_version: string;
  seen_count: number;
  last_seen: number;
}
