import type { Transaction } from 'kysely';
import type { Bulk, Merging, Rows } from '../storage/bulk.ts';
import type { Tables } from '../storage/tables.ts';
import { rollups, type RollupTable } from './rollups.ts';
import type { Tally } from './tally.ts';

const tables = Object.keys(rollups) as RollupTable[];

/** Adds what was tallied to the stored totals. Called once, at the end of a transaction. */
export async function storeTally(
  trx: Transaction<Tables>,
  bulk: Bulk,
  tally: Tally,
): Promise<void> {
  for (const table of tables) {
    const rows = tally.rows(table);
    const merging = rollups[table] as Merging<RollupTable>;
    if (table === 'run_sessions') await storeGroups(trx, bulk, 'run_sessions', 'sessions', rows);
    else if (table === 'tracked_users')
      await storeGroups(trx, bulk, 'tracked_users', 'users', rows);
    else await bulk.merge(trx, table, merging, rows as Rows<RollupTable>);
  }
}

/** Sessions and tracked users are counted too: how many there are is asked with every list. */
async function storeGroups(
  trx: Transaction<Tables>,
  bulk: Bulk,
  table: 'run_sessions' | 'tracked_users',
  kind: Tables['group_totals']['kind'],
  rows: ReturnType<Tally['rows']>,
): Promise<void> {
  const groups = rows as Tables[typeof table][];
  const merging = rollups[table] as Merging<typeof table>;
  const starting = groups.filter((row) => row.run_count > 0);
  const added = await bulk.insertNew(trx, table, merging.key, starting);
  const isNew = new Set(starting.filter((_, index) => added[index]));
  await bulk.merge(
    trx,
    table,
    merging,
    groups.filter((row) => !isNew.has(row)),
  );
  const totals = new Map<string, number>();
  for (const { tenant_id } of isNew) totals.set(tenant_id, (totals.get(tenant_id) ?? 0) + 1);
  await bulk.merge(
    trx,
    'group_totals',
    { key: ['tenant_id', 'kind'], add: ['total'] },
    [...totals].map(([tenant_id, total]) => ({ tenant_id, kind, total })),
  );
}
