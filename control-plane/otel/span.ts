import { hash } from 'node:crypto';
import type { Attributes } from './attributes.ts';

/** A span in internal form, independent of its encoding. Times are milliseconds since 1970. */
export interface OtelSpan {
  trace_id: string;
  span_id: string;
  parent_span_id: string | null;
  /** The parent belongs to another service, so this span is the root here. */
  has_remote_parent: boolean;
  name: string;
  started_at: number;
  ended_at: number;
  /** Start in microseconds since 1970, which orders the spans of a run. */
  position: number;
  /** The error message; null if there was no error. */
  error: string | null;
  attributes: Attributes;
  events: readonly SpanEvent[];
  resource: Attributes;
  scope: Scope;
  /** Set by the rules of its client; undefined for other instrumentations. */
  client?: ClientPart;
}

/**
 * The properties of a span or log record that the rules of its client determine; see
 * `clients/client.ts`.
 */
export interface ClientPart {
  /**
   * `prompt`: it started the run; `answer`: the response of the last one is the result of the run.
   */
  role?: 'prompt' | 'answer';
  /** The task of a call. */
  task?: string;
  /** The run fails if the last call with this mark failed. */
  decides?: boolean;
  /** The span is shown as the input of the run instead of as a span. */
  is_payload?: boolean;
  /** The id of the reported tool call, which is the same in each of its reports. */
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
  /** Null if it has no valid one. */
  trace_id: string | null;
}

/**
 * Returns a span id that all reports with this key within a trace share, such as those of one
 * request.
 */
export const keyedSpanId = (trace_id: string, key: string): string =>
  hexIdOf(['span', trace_id, key], 16);

/** Returns a stable id in hexadecimal: the same parts have the same id in every process. */
export const hexIdOf = (parts: readonly unknown[], digits: 16 | 32): string =>
  hash('sha256', JSON.stringify(parts)).slice(0, digits);
