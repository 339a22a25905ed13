import type { UnmappedExample } from '#contract/otel.ts';
import { removedByLevel } from './content-level.ts';
import type { LogRecord } from './logs/log-record.ts';
import type { PreparedSpan } from './prepare-span.ts';
import type { RejectedSpan, Scope } from './span.ts';
import { type ContentRules, exampleOfEvent } from './unmapped-examples.ts';
import { type MappedNames, unmappedParts, unmappedUsage } from './unmapped-names.ts';
import { type CountedName, keyOf, type UnmappedKind } from './unmapped-queries.ts';

/** A name without a rule, and where it was found. */
export interface UnmappedName {
  name: string;
  scope: Scope;
  /** Null if it was found outside of traces. */
  trace_id: string | null;
  /**
   * Returns the example to store. It is called only for the last occurrence of a name, because
   * masking takes long.
   */
  example: (() => UnmappedExample) | null;
}

interface Unmapped {
  spans: readonly PreparedSpan[];
  rejected: readonly RejectedSpan[];
  unmapped: readonly UnmappedName[];
}

/** Counts unmapped names and rejection reasons, and returns one row for each. */
export function countUnmapped(
  tenant_id: string,
  { spans, rejected, unmapped }: Unmapped,
  last_seen: number,
): CountedName[] {
  const known: MappedNames = new Map();
  const names = spans.flatMap((span) => unmappedOfSpan(span, known));
  return countNames(
    tenant_id,
    [
      ...[...names, ...unmapped].map((name) => ({ kind: 'attribute' as const, ...name })),
      ...rejected.map(rejectionOf),
    ],
    last_seen,
  );
}

/**
 * Returns the names without a rule; of a span without AI work, only those that look like usage. The
 * rules of a coding agent name what they read, and what they pass on is stored with the run, so of
 * its spans only what a level removed is listed.
 */
function unmappedOfSpan(
  { received, span, content, work }: PreparedSpan,
  known: MappedNames,
): UnmappedName[] {
  if (received.client && content.keepsTexts) return [];
  const { scope, trace_id } = received;
  const listed = received.client ? removedByLevel(received, span) : received;
  const parts = work ? unmappedParts(listed, known) : unmappedUsage(listed, known);
  return parts.map(({ name, exampleOf }) => ({
    name,
    scope,
    trace_id,
    example: () => exampleOf(content),
  }));
}

/** Returns the name of a log event without a rule. Its body counts as an attribute. */
export const unmappedOfRecord = (
  { event, scope, trace_id, attributes, body }: LogRecord,
  content: ContentRules,
): UnmappedName => ({
  name: `event ${event}`,
  scope,
  trace_id,
  example: () => exampleOfEvent(body === null ? attributes : { ...attributes, body }, content),
});

export const rejectionOf = ({ reason, scope, trace_id }: RejectedSpan) => ({
  kind: 'rejection' as const,
  name: reason,
  scope,
  trace_id,
  example: null,
});

/** Counts names. The last occurrence of a name is its example. */
export function countNames(
  tenant_id: string,
  names: readonly (UnmappedName & { kind: UnmappedKind })[],
  last_seen: number,
): CountedName[] {
  const rows = new Map<string, CountedName>();
  for (const { kind, name: full, scope, trace_id, example } of names) {
    const name = full.slice(0, 200).toWellFormed();
    const key = { tenant_id, kind, name, scope: scope.name };
    const existing = rows.get(keyOf(key));
    if (existing) {
      existing.seen_count += 1;
      existing.trace_id = trace_id;
      existing.example = example;
    } else {
      const scope_version = scope.version;
      rows.set(keyOf(key), { ...key, scope_version, seen_count: 1, last_seen, trace_id, example });
    }
  }
  // A fixed order of rows prevents deadlocks.
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
