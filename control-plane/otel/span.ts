import { hash } from 'node:crypto';
import type { Attributes } from './attributes.ts';

/** A span in internal form, independent of its encoding. Times are milliseconds since 1970. */
export interface OtelSpan {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  /** The parent belongs to another service, so this is the root span here. */
  has_remote_parent: boolean;
  name: string;
  started_at: number;
  ended_at: number;
  /** Start in microseconds since 1970; orders the spans of a run. */
  position: number;
  /** The error message; null if there was no error. */
  error: string | null;
  attributes: Attributes;
  events: readonly SpanEvent[];
  resource: Attributes;
  scope: Scope;
  /** Added by the rules of its client; undefined for other instrumentations. */
  client?: ClientPart;
}

/** What the rules of a client determine about a span or log record; see `clients/client.ts`. */
export interface ClientPart {
  /** `prompt`: what began the run; `answer`: its response is the result of the run, if the last. */
  role?: 'prompt' | 'answer';
  /** The task of a call. */
  task?: string;
  /** The run fails if the last call with this mark failed. */
  decides?: boolean;
  /** The span is shown as the input of the run, not as a span. */
  is_payload?: boolean;
  /** The tool call that this reports; the same in each report of it. */
  tool_call?: string;
}

export interface SpanEvent {
  name: string;
  at: number;
  attributes: Attributes;
}

/** The instrumentation that created a span. */
export interface Scope {
  name: string;
  version: string;
}

export interface RejectedSpan {
  reason: string;
  scope: Scope;
}

/** The id of what all reports of a thing within a trace share, such as that of a request. */
export const keyedSpanId = (trace_id: string, key: string): string =>
  idOf(['span', trace_id, key], 16);

/** A stable id in hexadecimal: the same parts have the same id in every process. */
export const idOf = (parts: readonly unknown[], digits: 16 | 32): string =>
  hash('sha256', JSON.stringify(parts)).slice(0, digits);
