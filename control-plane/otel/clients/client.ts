import type { Attributes, Json } from '../attributes.ts';
import type { LogRecord } from '../logs/log-record.ts';
import type { ClientPart, OtelSpan } from '../span.ts';

/**
 * A program whose telemetry follows its own conventions, usually a coding agent. One file per
 * client defines how its events and spans translate to the GenAI conventions; all further steps are
 * the same for all clients. docs/adding-a-client.md describes how to add one.
 */
export interface Client {
  /** The agent name of its runs. */
  agent: string;
  /** Whether its telemetry has this scope. */
  isScope(scope: string): boolean;
  /** Whether log records within a span belong to the run of that span's trace. */
  followsTraces: boolean;
  /** False if `service.version` is not the version of the client. */
  hasVersion?: boolean;
  /** Returns the name of an event, if it is not sent as one; empty for a plain log line. */
  eventOf?(record: LogRecord): string;
  /** Returns the session of a record, which the runs of one conversation share. */
  sessionOf(record: LogRecord): string | undefined;
  /**
   * Reads one event. Returns `ignored` if the event is known and adds no information to a run, and
   * undefined if it is unknown, so that it is reported as unmapped.
   */
  readEvent(record: LogRecord, earlier: EarlierEvents): Report | 'ignored' | undefined;
  /**
   * Translates a span of the client's own scopes; `ignored` drops it. Without this function, spans
   * are kept.
   */
  readSpan?(span: OtelSpan): OtelSpan | 'ignored';
}

/** A framework whose spans need more than a mapping of attribute names. */
export interface SpanReader {
  isScope(scope: string): boolean;
  /**
   * Translates the framework's own attributes to names of the GenAI conventions, or to other mapped
   * names; `ignored` drops the span.
   */
  readSpan(span: OtelSpan): OtelSpan | 'ignored';
}

/** The contents of an event. */
export interface Report extends ClientPart {
  name: string;
  /** Attributes with the names of the GenAI conventions. */
  attributes: Attributes;
  /** The duration of the reported work, which ended when the record was written. */
  duration_ms?: number;
  error?: string | null;
  /** Identifies the turn within its session. Without it, the turn is determined by time. */
  turn?: string | undefined;
  /** The key of a call within a run, the same in all reports of the call; see `keyedSpanId`. */
  call?: string | undefined;
  /** Only useful within a run: the report is dropped if it has neither a `turn` nor a trace. */
  isNote?: boolean;
}

/** Events that add details to later ones of the same request, by a key of the client. */
export type EarlierEvents = Map<string, LogRecord>;

/** Returns the first non-empty value as text. */
export function textIn(attributes: Attributes, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = attributes[name];
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  }
  return undefined;
}

/** Returns the first value that is a non-negative number; numeric text is accepted. */
export function countIn(attributes: Attributes, ...names: string[]): number | undefined {
  for (const name of names) {
    const value = attributes[name];
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && number >= 0 && Number.isFinite(number)) return number;
  }
  return undefined;
}

/** Whether the value is false, as a boolean or as text. */
export const isFalse = (value: Json | undefined): boolean => value === false || value === 'false';

/** Drops the members that are undefined. */
export function definedMembers(members: Record<string, Json | undefined>): Attributes {
  const defined: Record<string, Json> = {};
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (value !== undefined) defined[name] = value;
  }
  return defined;
}

/** Drops the placeholder that a client sends instead of a text that it must not send. */
export const withoutRedacted = (text: string | undefined): string | undefined =>
  text === '<REDACTED>' || text === '[REDACTED]' ? undefined : text;
