import type { Attributes, Json } from '../attributes.ts';
import type { Scope } from '../span.ts';

/** A log record in internal form, independent of its encoding. */
export interface LogRecord {
  /** Null if it was not emitted within a span. */
  trace_id: string | null;
  span_id: string | null;
  /** Milliseconds since 1970. */
  at: number;
  /** Microseconds since 1970; orders the records of a run. */
  position: number;
  /** The name of the event; empty for a plain log line. */
  event: string;
  body: Json;
  attributes: Attributes;
  resource: Attributes;
  scope: Scope;
}
