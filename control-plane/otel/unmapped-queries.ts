import { sql } from 'kysely';
import type { UnmappedExample } from '#contract/otel.ts';
import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

export type UnmappedRow = Tables['otel_unknowns'];
export type UnmappedKind = UnmappedRow['kind'];

/** A row whose example is created only if the row is stored. */
export interface CountedName extends Omit<UnmappedRow, 'example'> {
  example: (() => UnmappedExample) | null;
}

/** The maximum number of names per tenant and kind, because names come from outside. */
const MAX_NAMES = 2000;

const MERGED_NAME = {
  key: ['tenant_id', 'kind', 'name', 'scope'],
  add: ['seen_count'],
  max: ['last_seen', 'scope_version'],
  set: ['trace_id', 'example'],
} as const;

/**
 * Adds to the counts, and replaces the examples. New names are dropped once a tenant has reached
 * the limit.
 */
export async function storeUnmapped(
  tx: Tx,
  tenantId: string,
  rows: readonly CountedName[],
): Promise<void> {
  if (rows.length === 0) return;
  const stored = await tx.db
    .selectFrom('otel_unknowns')
    .select(['kind', 'name', 'scope'])
    .where('tenant_id', '=', tenantId)
    .execute();
  const keys = new Set(stored.map(keyOf));
  const fresh = rows.filter((row) => !keys.has(keyOf(row)));
  const admitted = new Set(
    [...Map.groupBy(fresh, ({ kind }) => kind)].flatMap(([kind, added]) => {
      const count = stored.filter((row) => row.kind === kind).length;
      return added.slice(0, Math.max(0, MAX_NAMES - count));
    }),
  );
  const kept = rows.filter((row) => keys.has(keyOf(row)) || admitted.has(row));
  await tx.bulk.merge('otel_unknowns', MERGED_NAME, kept.map(withExample));
}

const withExample = (row: CountedName): UnmappedRow => ({
  ...row,
  example: row.example && JSON.stringify(row.example()),
});

export const keyOf = ({
  kind,
  name,
  scope,
}: Pick<UnmappedRow, 'kind' | 'name' | 'scope'>): string => JSON.stringify([kind, name, scope]);

/** Lists the counts, most frequent first, with the run of each trace if it still exists. */
export async function listUnmapped(
  db: Db,
  tenantId: string,
  kind: UnmappedKind,
  { limit, offset }: { limit: number; offset: number },
) {
  const names = db
    .selectFrom('otel_unknowns')
    .where('otel_unknowns.tenant_id', '=', tenantId)
    .where('kind', '=', kind);
  const rows = await names
    .leftJoin('otel_traces', (join) =>
      join
        .onRef('otel_traces.tenant_id', '=', 'otel_unknowns.tenant_id')
        .onRef('otel_traces.trace_id', '=', 'otel_unknowns.trace_id'),
    )
    .leftJoin('runs', (join) =>
      join
        .onRef('runs.tenant_id', '=', 'otel_traces.tenant_id')
        .onRef('runs.id', '=', 'otel_traces.run_id'),
    )
    .select(['name', 'scope', 'scope_version', 'seen_count as count', 'last_seen'])
    .select(['otel_unknowns.trace_id', 'runs.id as run_id', 'example'])
    .orderBy('seen_count', 'desc')
    .orderBy('name')
    .orderBy('scope')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(names) };
}

/**
 * Removes the examples of names that were last seen before `cutoff`; their counts are kept. Returns
 * how many were removed.
 */
export async function deleteOldExamples(
  tx: Tx,
  { tenantId, cutoff, limit }: { tenantId: string; cutoff: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update otel_unknowns set trace_id = null, example = null
    where tenant_id = ${tenantId} and (kind, name, scope) in (
      select kind, name, scope from otel_unknowns
      where tenant_id = ${tenantId} and last_seen < ${cutoff}
        and (trace_id is not null or example is not null) limit ${limit})`.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}
