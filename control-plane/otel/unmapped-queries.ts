import { countOf } from '../storage/bounded-count.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';

export type UnmappedRow = Tables['otel_unknowns'];
export type UnmappedKind = UnmappedRow['kind'];

/** The maximum number of names per tenant and kind, because names come from outside. */
const MAX_NAMES = 2000;

/** Adds to the counts. New names are dropped once a tenant has reached the limit. */
export async function storeUnmapped(
  tx: Tx,
  tenantId: string,
  rows: readonly UnmappedRow[],
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
  await tx.bulk.merge(
    'otel_unknowns',
    {
      key: ['tenant_id', 'kind', 'name', 'scope'],
      add: ['seen_count'],
      max: ['last_seen', 'scope_version'],
    },
    rows.filter((row) => keys.has(keyOf(row)) || admitted.has(row)),
  );
}

export const keyOf = ({
  kind,
  name,
  scope,
}: Pick<UnmappedRow, 'kind' | 'name' | 'scope'>): string => JSON.stringify([kind, name, scope]);

/** Lists the counts, most frequent first. */
export async function listUnmapped(
  db: Db,
  tenantId: string,
  kind: UnmappedKind,
  { limit, offset }: { limit: number; offset: number },
) {
  const names = db
    .selectFrom('otel_unknowns')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind);
  const rows = await names
    .select(['name', 'scope', 'scope_version', 'seen_count as count', 'last_seen'])
    .orderBy('seen_count', 'desc')
    .orderBy('name')
    .orderBy('scope')
    .limit(limit)
    .offset(offset)
    .execute();
  return { rows, count: await countOf(names) };
}
