import type { OtelSpan, RejectedSpan, Scope } from './span.ts';
import { notUnderstood } from './mapped-call.ts';
import { keyOf, type UnmappedKind, type UnmappedRow } from './unmapped-queries.ts';

/** What of these spans was not understood, and why others were rejected, one row for each. */
export function countUnmapped(
  tenant_id: string,
  spans: readonly OtelSpan[],
  rejected: readonly RejectedSpan[],
  last_seen: number,
): UnmappedRow[] {
  const rows = new Map<string, UnmappedRow>();
  const add = (kind: UnmappedKind, name: string, { name: scope, version }: Scope): void => {
    const row = { tenant_id, kind, name, scope, scope_version: version, seen_count: 1, last_seen };
    const known = rows.get(keyOf(row));
    if (known) known.seen_count += 1;
    else rows.set(keyOf(row), row);
  };
  for (const span of spans)
    for (const name of notUnderstood(span)) add('attribute', name, span.scope);
  for (const { reason, scope } of rejected) add('rejection', reason, scope);
  // In an order that is the same in every process: two transactions must not wait for each other.
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
