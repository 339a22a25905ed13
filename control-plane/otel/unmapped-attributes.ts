import type { OtelSpan, RejectedSpan, Scope } from './span.ts';
import { type MappedNames, unmappedNames } from './unmapped-names.ts';
import { keyOf, type UnmappedKind, type UnmappedRow } from './unmapped-queries.ts';

/** An attribute name without a rule. */
export interface UnmappedName {
  name: string;
  scope: Scope;
}

interface Unmapped {
  spans: readonly OtelSpan[];
  rejected: readonly RejectedSpan[];
  unmapped: readonly UnmappedName[];
}

/** Counts unmapped names and rejection reasons, and returns one row for each. */
export function countUnmapped(
  tenant_id: string,
  { spans, rejected, unmapped }: Unmapped,
  last_seen: number,
): UnmappedRow[] {
  const known: MappedNames = new Map();
  const names = spans
    .filter(({ client }) => !client)
    .flatMap((span) => unmappedNames(span, known).map((name) => ({ name, scope: span.scope })));
  return countNames(
    tenant_id,
    [
      ...[...names, ...unmapped].map((name) => ({ kind: 'attribute' as const, ...name })),
      ...rejected.map(({ reason, scope }) => ({ kind: 'rejection' as const, name: reason, scope })),
    ],
    last_seen,
  );
}

export function countNames(
  tenant_id: string,
  names: readonly (UnmappedName & { kind: UnmappedKind })[],
  last_seen: number,
): UnmappedRow[] {
  const rows = new Map<string, UnmappedRow>();
  for (const { kind, name: full, scope } of names) {
    const name = full.slice(0, 200).toWellFormed();
    const key = { tenant_id, kind, name, scope: scope.name };
    const existing = rows.get(keyOf(key));
    if (existing) existing.seen_count += 1;
    else rows.set(keyOf(key), { ...key, scope_version: scope.version, seen_count: 1, last_seen });
  }
  // A fixed order of rows prevents deadlocks.
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
