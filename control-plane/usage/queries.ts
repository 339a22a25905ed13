import { randomInt } from 'node:crypto';
import type { AnyMerge, Merging } from '../storage/bulk.ts';
import type { Tables } from '../storage/tables.ts';
import type { Tx } from '../storage/transaction.ts';
import { HOUR_MS } from '#lib/time-units.ts';
import {
  type GroupCount,
  type GroupTable,
  groupTables,
  isGroupTable,
  newGroupCount,
} from './group-totals.ts';
import { type RollupRow, rollups, type RollupTable } from './rollups.ts';
import type { Tally } from './tally.ts';

/** Adds the tally to the stored totals. Must be called once, at the end of a transaction. */
export async function storeTally(tx: Tx, tally: Tally): Promise<void> {
  // The rows of `prompt_usage` are inserted with the prompt versions.
  await tx.bulk.add('prompt_usage', rollups.prompt_usage, tally.rows('prompt_usage'));
  const counts = newGroupCount();
  const merged: Partial<Record<RollupTable, readonly unknown[]>> = {};
  for (const table of groupTables) merged[table] = await startGroups(tx, tally, table, counts);
  merged.model_hours = tally.rows('model_hours').map(withRevision);
  const merges = mergedTables.map(
    (table) =>
      ({ table, merging: rollups[table], rows: merged[table] ?? tally.rows(table) }) as AnyMerge,
  );
  await tx.bulk.mergeAll([...merges, ...counts.merges()]);
}

const REVISIONS = 2 ** 31;

/**
 * Adds a random revision to the row, so that two changes of the hour that cancel each other out are
 * still visible as changes.
 */
const withRevision = (row: RollupRow<'model_hours'>): RollupRow<'model_hours'> => ({
  ...row,
  revision: row.agent_name === '' ? randomInt(1, REVISIONS) : 0,
});

const mergedTables = (Object.keys(rollups) as RollupTable[]).filter((t) => t !== 'prompt_usage');

/** Inserts and counts groups that start with this transaction; returns all others. */
async function startGroups(
  tx: Tx,
  tally: Tally,
  table: GroupTable,
  counts: GroupCount,
): Promise<readonly unknown[]> {
  const groups = tally.rows(table);
  const starting = groups.filter((row) => row.run_count > 0);
  if (starting.length === 0) return groups;
  const { key } = rollups[table] as Merging<GroupTable>;
  const inserted = await tx.bulk.insertNew(table, key, starting);
  const added = new Set(starting.filter((_, index) => inserted[index]));
  for (const row of added) counts.add(table, row, 1);
  return groups.filter((row) => !added.has(row));
}

/** The count column of each table that is 0 when a row of totals is empty. */
const countOfRow = {
  run_totals: 'run_count',
  run_hours: 'run_count',
  run_sessions: 'run_count',
  session_agents: 'run_count',
  tracked_users: 'run_count',
  user_agents: 'run_count',
  user_models: 'call_count',
  model_totals: 'call_count',
  model_hours: 'call_count',
  end_user_days: 'call_count',
  score_totals: 'score_count',
  score_hours: 'score_count',
  score_value_hours: 'score_count',
} as const satisfies Record<Exclude<RollupTable, 'prompt_usage'>, string>;

/**
 * Cleans up after a removal, once the tally is stored. Deletes empty totals, and sets the start of
 * the remaining sessions and users to their first remaining run.
 */
export async function deleteEmptyTotals(tx: Tx, tally: Tally): Promise<void> {
  const counts = newGroupCount();
  for (const table of Object.keys(countOfRow) as (keyof typeof countOfRow)[])
    for (const row of tally.rows(table) as TotalsRow[]) {
      const deleted = await deleteEmpty(tx, table, row);
      if (deleted && isGroupTable(table)) counts.add(table, row, -1);
      if (deleted) continue;
      if (table === 'score_hours') await refreshExtremes(tx, row);
      if (table === 'run_sessions') await resetFirstRun(tx, 'sessions', row);
      if (table === 'tracked_users') await resetFirstRun(tx, 'users', row);
    }
  await tx.bulk.mergeAll(counts.merges());
}

type TotalsRow = Readonly<Record<string, string | number>> & {
  tenant_id: string;
  agent_name?: string;
};

async function deleteEmpty(
  tx: Tx,
  table: keyof typeof countOfRow,
  row: Readonly<Record<string, string | number>>,
): Promise<boolean> {
  let empty = tx.db.deleteFrom(table as 'run_totals');
  for (const column of rollups[table].key)
    empty = empty.where(column as 'tenant_id', '=', row[column] as string);
  const counted = countOfRow[table] as 'run_count';
  const { numDeletedRows } = await empty.where(counted, '<=', 0).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Recomputes the minimum and maximum score of an hour after scores were deleted. */
async function refreshExtremes(
  tx: Tx,
  row: Readonly<Record<string, string | number>>,
): Promise<void> {
  const from = Number(row.hour) * HOUR_MS;
  let scores = tx.db
    .selectFrom('scores')
    .where('tenant_id', '=', String(row.tenant_id))
    .where('name', '=', String(row.name))
    .where('data_type', '=', row.data_type as 'numeric')
    .where('created_at', '>=', from)
    .where('created_at', '<', from + HOUR_MS);
  if (row.agent_name) scores = scores.where('run_agent_name', '=', String(row.agent_name));
  const extremes = await scores
    .select((eb) => [
      eb.fn.min('numeric_value').as('numeric_min'),
      eb.fn.max('numeric_value').as('numeric_max'),
    ])
    .executeTakeFirstOrThrow();
  let hours = tx.db.updateTable('score_hours').set(extremes);
  for (const column of rollups.score_hours.key)
    hours = hours.where(column, '=', row[column] as never);
  await hours.execute();
}

async function resetFirstRun(
  tx: Tx,
  kind: Tables['group_totals']['kind'],
  row: Readonly<Record<string, string | number>>,
): Promise<void> {
  const column = kind === 'sessions' ? 'session_id' : 'user_id';
  const first = await tx.db
    .selectFrom('runs')
    .select('started_at')
    .where('tenant_id', '=', String(row.tenant_id))
    .where(column, '=', String(row[column]))
    .orderBy('started_at')
    .limit(1)
    .executeTakeFirst();
  if (!first) return;
  const table = kind === 'sessions' ? 'run_sessions' : 'tracked_users';
  const begin = kind === 'sessions' ? 'first_run' : 'first_seen';
  await tx.db
    .updateTable(table as 'run_sessions')
    .set(begin as 'first_run', first.started_at)
    .where('tenant_id', '=', String(row.tenant_id))
    .where(column as 'session_id', '=', String(row[column]))
    .execute();
}
