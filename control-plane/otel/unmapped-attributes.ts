import type { OtelSpan, RejectedSpan, Scope } from './span.ts';
import { unmappedNames } from './mapped-call.ts';
import { keyOf, type UnmappedKind, type UnmappedRow } from './unmapped-queries.ts';

/** Unmapped names of spans and rejection reasons, counted, one row each. */
export function countUnmapped(
  tenant_id: string,
  spans: readonly OtelSpan[],
  rejected: readonly RejectedSpan[],
  last_seen: number,
): UnmappedRow[] {
  const rows = new Map<string, UnmappedRow>();
  const add = (kind: UnmappedKind, name: string, { name: scope, version }: Scope): void => {
    const row = { tenant_id, kind, name, scope, scope_version: version, seen_count: 1, last_seen };
    const existing = rows.get(keyOf(row));
    if (existing) existing.seen_count += 1;
    else rows.set(keyOf(row), row);
  };
  for (const span of spans)
    for (const name of unmappedNames(span)) add('attribute', name, span.scope);
  for (const { reason, scope } of rejected) add('rejection', reason, scope);
  // In a fixed order, which prevents deadlocks.
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
