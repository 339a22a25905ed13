import type { ExpressionBuilder, Transaction } from 'kysely';
import { deleteReportBatches, deleteReports } from '../endpoint/retention/queries.ts';
import { deleteOldBatches } from '../recording/batches/queries.ts';
import { deleteGovernance } from '../policy/retention/queries.ts';
import type { Db, Storage } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { countCalls, countDuration, countRun, countScores, type RunRef } from '../usage/count.ts';
import { countPrompts } from '../prompts/usage/count.ts';
import { storeTally, sweepTotals } from '../usage/queries.ts';
import { newTally, type Tally } from '../usage/tally.ts';

export type OldRun = RunRef & { completed_at: number | null };

/** Tenants that keep what was recorded only for so many days. */
export function listRetentions(db: Db): Promise<{ tenant_id: string; retention_days: number }[]> {
  return db
    .selectFrom('tenant_settings')
    .select(['tenant_id', 'retention_days'])
    .where('retention_days', 'is not', null)
    .$narrowType<{ retention_days: number }>()
    .execute();
}

export async function listTenants(db: Db): Promise<string[]> {
  const tenants = await db.selectFrom('tenants').select('id').execute();
  return tenants.map(({ id }) => id);
}

/** Forgets ids of batches that nobody sends again. Answers how many went. */
export const deleteBatches = (
  storage: Storage,
  tenantId: string,
  before: number,
  most: number,
): Promise<number> =>
  storage.db.transaction().execute((trx) => deleteOldBatches(trx, tenantId, before, most));

/** The same for batches of devices, which may be away for longer. */
export const deleteDeviceBatches = (
  storage: Storage,
  tenantId: string,
  before: number,
  most: number,
): Promise<number> =>
  storage.db.transaction().execute((trx) => deleteReportBatches(trx, tenantId, before, most));

/**
 * Deletes at most about `most` rows of what began before `cutoff`, oldest first, and takes them
 * out of the totals. Answers how many went; fewer than `most` means that nothing older is left.
 */
export function deleteOld(
  storage: Storage,
  tenantId: string,
  cutoff: number,
  most: number,
): Promise<number> {
  return storage.db.transaction().execute(async (trx) => {
    await storage.lock(trx, `retention ${tenantId}`);
    const tally = newTally();
    let deleted = await deleteEvents(trx, storage, tenantId, cutoff, most);
    deleted += await deleteGovernance(trx, storage, { tenantId, cutoff, most });
    deleted += await deleteReports(trx, storage, { tenantId, cutoff, most });
    while (deleted < most) {
      const run = await oldestRun(trx, tenantId, cutoff);
      if (!run) break;
      deleted += await deleteOfRun({ trx, storage, tally, run }, most - deleted);
    }
    await storeTally(trx, storage.bulk, tally);
    await sweepTotals(trx, storage.bulk, tally);
    return deleted;
  });
}

async function deleteEvents(
  trx: Transaction<Tables>,
  { bulk }: Storage,
  tenantId: string,
  cutoff: number,
  most: number,
): Promise<number> {
  const rows = await trx
    .selectFrom('events')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('occurred_at', '<', cutoff)
    .limit(most)
    .execute();
  await trx
    .deleteFrom('events')
    .where('tenant_id', '=', tenantId)
    .where('id', 'in', bulk.list(rows.map(({ id }) => id)))
    .execute();
  return rows.length;
}

/** Was anything recorded on this run since? Then it still goes on, however long ago it started. */
const hasRecords = (eb: ExpressionBuilder<Tables, 'runs'>, since: number) =>
  eb.or(
    (['llm_calls', 'steps', 'spans'] as const).map((table) =>
      eb.exists(
        eb
          .selectFrom(`${table} as record` as 'steps as record')
          .select('record.id')
          .whereRef('record.tenant_id', '=', 'runs.tenant_id')
          .whereRef('record.run_id', '=', 'runs.id')
          .where('record.created_at', '>=', since),
      ),
    ),
  );

function oldestRun(
  trx: Transaction<Tables>,
  tenantId: string,
  cutoff: number,
): Promise<OldRun | undefined> {
  return trx
    .selectFrom('runs')
    .select(['tenant_id', 'id', 'agent_name', 'workflow_name', 'session_id', 'user_id'])
    .select(['end_user_id', 'status', 'started_at', 'completed_at'])
    .where('tenant_id', '=', tenantId)
    .where('started_at', '<', cutoff)
    .where((eb) => eb.or([eb('status', '<>', 'running'), eb.not(hasRecords(eb, cutoff))]))
    .orderBy('started_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

interface Deletion {
  trx: Transaction<Tables>;
  storage: Storage;
  tally: Tally;
  run: OldRun;
}

/** What hangs on a run goes first, the run itself last: a run that is there is never half empty for long. */
async function deleteOfRun(deletion: Deletion, most: number): Promise<number> {
  const { trx, storage, run } = deletion;
  // Whoever records on it at the same time does so before, or finds no run.
  const { tenant_id: tenantId, id } = run;
  await storage.bulk.find(trx, 'runs', ['id'], {
    tenantId,
    by: 'id',
    values: [id],
    lock: 'delete',
  });
  let deleted = 0;
  for (const remove of [deleteEvaluations, deleteSpans, deleteSteps, deleteScores, deleteCalls]) {
    deleted += await remove(deletion, most - deleted);
    if (deleted >= most) return deleted;
  }
  await deleteRun(deletion);
  return deleted + 1;
}

const deleteEvaluations = (deletion: Deletion, most: number) =>
  deletePlain(deletion, 'evaluations', most);
const deleteSpans = (deletion: Deletion, most: number) => deletePlain(deletion, 'spans', most);
const deleteSteps = (deletion: Deletion, most: number) => deletePlain(deletion, 'steps', most);

/** Rows that no total counts. */
async function deletePlain(
  { trx, run }: Deletion,
  table: 'spans' | 'steps' | 'evaluations',
  most: number,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom(table)
    .where('tenant_id', '=', run.tenant_id)
    .where('id', 'in', (eb) => ofRun(eb.selectFrom(table).select('id' as never), run).limit(most))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

// What was deleted is what is taken out of the totals: read before, it could have changed since.
async function deleteScores({ trx, tally, run }: Deletion, most: number): Promise<number> {
  const rows = await trx
    .deleteFrom('scores')
    .where('tenant_id', '=', run.tenant_id)
    .where('id', 'in', (eb) => ofRun(eb.selectFrom('scores').select('id'), run).limit(most))
    .returning(['name', 'data_type', 'source', 'numeric_value', 'string_value', 'created_at'])
    .execute();
  countScores(tally, run, rows, -1);
  return rows.length;
}

async function deleteCalls(deletion: Deletion, most: number): Promise<number> {
  const { trx, storage, tally, run } = deletion;
  const found = await ofRun(trx.selectFrom('llm_calls').select('id'), run).limit(most).execute();
  const ids = found.map(({ id }) => id);
  const where = { tenantId: run.tenant_id, by: 'id', values: ids, lock: 'delete' } as const;
  await storage.bulk.find(trx, 'llm_calls', ['id'], where);
  const rows = await trx
    .deleteFrom('llm_calls')
    .where('tenant_id', '=', run.tenant_id)
    .where('id', 'in', storage.bulk.list(ids))
    .returning([
      'tenant_id',
      'id',
      'model',
      'total_tokens',
      'cost',
      'cost_source',
      'prompt_hash',
      'prompt_counted',
      'created_at',
    ])
    .execute();
  await storage.search.changed(
    trx,
    run.tenant_id,
    rows.map(({ id }) => id),
  );
  countCalls(tally, run, rows, -1);
  countPrompts(tally, rows, -1);
  await takeFromRun(trx, storage, run, rows);
  return rows.length;
}

const ofRun = <Q extends { where(column: never, operator: '=', value: never): Q }>(
  query: Q,
  { tenant_id, id }: OldRun,
): Q =>
  query
    .where('tenant_id' as never, '=', tenant_id as never)
    .where('run_id' as never, '=', id as never);

async function takeFromRun(
  trx: Transaction<Tables>,
  { bulk }: Storage,
  { tenant_id, id }: OldRun,
  calls: readonly { total_tokens: number; cost: number }[],
): Promise<void> {
  const how = { key: ['tenant_id', 'id'], add: ['llm_call_count', 'tokens', 'cost'] } as const;
  const tokens = -calls.reduce((sum, call) => sum + call.total_tokens, 0);
  const cost = -calls.reduce((sum, call) => sum + call.cost, 0);
  await bulk.add(trx, 'runs', how, [
    { tenant_id, id, llm_call_count: -calls.length, tokens, cost },
  ]);
}

async function deleteRun({ trx, tally, run }: Deletion): Promise<void> {
  await trx
    .deleteFrom('runs')
    .where('tenant_id', '=', run.tenant_id)
    .where('id', '=', run.id)
    .execute();
  countRun(tally, run, -1);
  if (run.completed_at !== null) countDuration(tally, run, run.started_at - run.completed_at);
}
