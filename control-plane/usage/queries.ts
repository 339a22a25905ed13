import type { Transaction } from 'kysely';
import type { AnyMerge, Bulk, Merging, Rows } from '../storage/bulk.ts';
import type { Tables } from '../storage/tables.ts';
import { HOUR_MS } from './count.ts';
import { rollups, type RollupTable } from './rollups.ts';
import type { Tally } from './tally.ts';

/** Adds what was tallied to the stored totals. Called once, at the end of a transaction. */
export async function storeTally(
  trx: Transaction<Tables>,
  bulk: Bulk,
  tally: Tally,
): Promise<void> {
  // Its rows are made with the versions of prompts.
  await bulk.add(trx, 'prompt_usage', rollups.prompt_usage, tally.rows('prompt_usage'));
  const sessions = await startGroups(trx, bulk, tally, 'run_sessions');
  const users = await startGroups(trx, bulk, tally, 'tracked_users');
  const known: Partial<Record<RollupTable, readonly unknown[]>> = {
    run_sessions: sessions.others,
    tracked_users: users.others,
  };
  const merges = mergedTables.map(
    (table) =>
      ({ table, merging: rollups[table], rows: known[table] ?? tally.rows(table) }) as AnyMerge,
  );
  const totals = [...totalsOf('sessions', sessions.added), ...totalsOf('users', users.added)];
  await bulk.mergeAll(trx, [
    ...merges,
    { table: 'group_totals', merging: groupTotals, rows: totals },
  ]);
}

const mergedTables = (Object.keys(rollups) as RollupTable[]).filter((t) => t !== 'prompt_usage');

/** Sessions and tracked users are counted too: how many there are is asked with every list. */
async function startGroups<T extends 'run_sessions' | 'tracked_users'>(
  trx: Transaction<Tables>,
  bulk: Bulk,
  tally: Tally,
  table: T,
) {
  const groups = tally.rows(table);
  const starting = groups.filter((row) => row.run_count > 0);
  const answers = await bulk.insertNew<T>(trx, table, rollups[table].key, starting as Rows<T>);
  const added = starting.filter((_, index) => answers[index]);
  const isNew = new Set(added);
  return { added, others: groups.filter((row) => !isNew.has(row)) };
}

type GroupTotal = Tables['group_totals'];

const groupTotals: Merging<'group_totals'> = { key: ['tenant_id', 'kind'], add: ['total'] };

function totalsOf(
  kind: GroupTotal['kind'],
  added: readonly Pick<GroupTotal, 'tenant_id'>[],
): GroupTotal[] {
  const totals = new Map<string, number>();
  for (const { tenant_id } of added) totals.set(tenant_id, (totals.get(tenant_id) ?? 0) + 1);
  return [...totals].map(([tenant_id, total]) => ({ tenant_id, kind, total }));
}

/** Which count tells that a row of totals speaks of nothing any more. */
const countOfRow = {
  run_totals: 'run_count',
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
 * After something was taken away (and the tally stored): rows of totals that count nothing are
 * deleted, and sessions and users that remain begin with the first run that is left.
 */
export async function sweepTotals(
  trx: Transaction<Tables>,
  bulk: Bulk,
  tally: Tally,
): Promise<void> {
  const gone = { sessions: new Map<string, number>(), users: new Map<string, number>() };
  for (const table of Object.keys(countOfRow) as (keyof typeof countOfRow)[])
    for (const row of tally.rows(table) as unknown as Record<string, string | number>[]) {
      const deleted = await deleteEmpty(trx, table, row);
      const kind =
        table === 'run_sessions' ? 'sessions' : table === 'tracked_users' ? 'users' : undefined;
      if (table === 'score_hours' && !deleted) await refreshEdges(trx, row);
      if (!kind) continue;
      const tenant = String(row.tenant_id);
      if (deleted) gone[kind].set(tenant, (gone[kind].get(tenant) ?? 0) - 1);
      else await beginWithFirstRun(trx, kind, row);
    }
  for (const kind of ['sessions', 'users'] as const)
    await bulk.merge(
      trx,
      'group_totals',
      groupTotals,
      [...gone[kind]].map(([tenant_id, total]) => ({ tenant_id, kind, total })),
    );
}

async function deleteEmpty(
  trx: Transaction<Tables>,
  table: keyof typeof countOfRow,
  row: Readonly<Record<string, string | number>>,
): Promise<boolean> {
  let empty = trx.deleteFrom(table as 'run_totals');
  for (const column of rollups[table].key)
    empty = empty.where(column as 'tenant_id', '=', row[column] as string);
  const counted = countOfRow[table] as 'run_count';
  const { numDeletedRows } = await empty.where(counted, '<=', 0).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The least and the greatest score of an hour, when some of its scores are gone. */
async function refreshEdges(
  trx: Transaction<Tables>,
  row: Readonly<Record<string, string | number>>,
): Promise<void> {
  const from = Number(row.hour) * HOUR_MS;
  let scores = trx
    .selectFrom('scores')
    .where('tenant_id', '=', String(row.tenant_id))
    .where('name', '=', String(row.name))
    .where('data_type', '=', row.data_type as 'numeric')
    .where('created_at', '>=', from)
    .where('created_at', '<', from + HOUR_MS);
  if (row.agent_name) scores = scores.where('run_agent_name', '=', String(row.agent_name));
  const edges = await scores
    .select((eb) => [
      eb.fn.min('numeric_value').as('numeric_min'),
      eb.fn.max('numeric_value').as('numeric_max'),
    ])
    .executeTakeFirstOrThrow();
  let hours = trx.updateTable('score_hours').set(edges);
  for (const column of rollups.score_hours.key)
    hours = hours.where(column, '=', row[column] as never);
  await hours.execute();
}

async function beginWithFirstRun(
  trx: Transaction<Tables>,
  kind: Tables['group_totals']['kind'],
  row: Readonly<Record<string, string | number>>,
): Promise<void> {
  const column = kind === 'sessions' ? 'session_id' : 'user_id';
  const first = await trx
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
  await trx
    .updateTable(table as 'run_sessions')
    .set(begin as 'first_run', first.started_at)
    .where('tenant_id', '=', String(row.tenant_id))
    .where(column as 'session_id', '=', String(row[column]))
    .execute();
}

export interface PromptedCall {
  tenant_id: string;
  prompt_hash: string;
  total_tokens: number;
  cost: number;
}

/**
 * Counts calls for the prompts whose text they had; `sign` −1 takes them away. Only texts that are
 * a version of a prompt are counted: every other text would be a row of its own.
 */
export async function countPrompts(
  { trx, bulk, tally }: { trx: Transaction<Tables>; bulk: Bulk; tally: Tally },
  calls: readonly PromptedCall[],
  sign: 1 | -1 = 1,
): Promise<void> {
  const hashes = new Map<string, Set<string>>();
  for (const { tenant_id, prompt_hash } of calls)
    if (prompt_hash) hashes.set(tenant_id, (hashes.get(tenant_id) ?? new Set()).add(prompt_hash));
  for (const [tenant_id, texts] of hashes) {
    const where = { tenantId: tenant_id, by: 'content_hash', values: [...texts] } as const;
    const prompts = await bulk.find(trx, 'prompt_usage', ['content_hash'], where);
    const known = new Set(prompts.map(({ content_hash }) => content_hash));
    for (const call of calls)
      if (call.tenant_id === tenant_id && known.has(call.prompt_hash))
        tally.add('prompt_usage', {
          tenant_id,
          content_hash: call.prompt_hash,
          call_count: sign,
          total_tokens: sign * call.total_tokens,
          total_cost: sign * call.cost,
        });
  }
}
