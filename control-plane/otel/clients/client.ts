import type { Attributes, Json } from '../attributes.ts';
import type { LogRecord } from '../logs/log-record.ts';
import type { ClientPart, OtelSpan } from '../span.ts';

/**
 * A program whose telemetry follows its own conventions, usually a coding agent. One file per
 * client says how its events and spans translate to the GenAI conventions; what comes after is the
 * same for all. How to add one: docs/adding-a-client.md.
 */
export interface Client {
  /** The agent of its runs. */
  agent: string;
  /** Is this scope of its telemetry? */
  isScope(scope: string): boolean;
  /** Do log records within a span belong to the run of its trace? */
  followsTraces: boolean;
  /** False if `service.version` is not its version. */
  hasVersion?: boolean;
  /** Its session, which the runs of one conversation share. */
  sessionOf(record: LogRecord): string | undefined;
  /**
   * Reads one event. `ignored` if it is known and adds nothing to a run; undefined if it is not
   * known, which makes it show up as unmapped.
   */
  readEvent(record: LogRecord, earlier: Earlier): Report | 'ignored' | undefined;
  /** Translates a span of its own scopes; `ignored` drops it. Without this, spans are kept. */
  readSpan?(span: OtelSpan): OtelSpan | 'ignored';
}

/** A framework whose spans need more than the names of their attributes. */
export interface SpanReader {
  isScope(scope: string): boolean;
  /**
   * Translates attributes of its own to names of the GenAI conventions, or to others that are read;
   * `ignored` drops the span.
   */
  readSpan(span: OtelSpan): OtelSpan | 'ignored';
}

/** The contents of an event. */
export interface Report extends ClientPart {
  name: string;
  /** In the names of the GenAI conventions. */
  attributes: Attributes;
  /** The record was written at its end, this long after its start. */
  duration_ms?: number;
  error?: string | null;
  /** Identifies the turn within its session; without one, the time decides. */
  turn?: string | undefined;
  /** All reports of one call have the same key within a run; see `keyedSpanId`. */
  call?: string | undefined;
  /** Only of interest within a run: without `turn` or a trace it is dropped. */
  isNote?: boolean;
}

/** Events of the same request that add details to later ones, by a key of the client. */
export type Earlier = Map<string, LogRecord>;

/** A text, if it is not empty. */
export function textIn(attributes: Attributes, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = attributes[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  }
  return undefined;
}

/** A number that is not negative; numeric text is accepted. */
export function countIn(attributes: Attributes, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = attributes[name];
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && number >= 0 && Number.isFinite(number)) return number;
  }
  return undefined;
}

/** Booleans are written as such or as text. */
export const isFalse = (value: Json | undefined): boolean => value === false || value === 'false';

/** Without the members that are undefined. */
export function definedMembers(members: Record<string, Json | undefined>): Attributes {
  const defined: Record<string, Json> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== undefined) defined[name] = value;
  }
  return defined;
}

/** A text that a client sends instead of one that it may not send. */
export const unlessRedacted = (text: string | undefined): string | undefined =>
  text === '<REDACTED>' || text === '[REDACTED]' ? undefined : text;
