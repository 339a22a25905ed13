import { valueList } from '../storage/value-list.ts';
import { countPrompts } from '../prompts/count-usage.ts';
import {
  countCalls,
  countDuration,
  countRun,
  countRunHour,
  countScores,
  type RunRef,
} from '../usage/count.ts';
import type { Recording } from './queries.ts';

export type RunToDelete = RunRef & { completed_at: number | null };

interface Deletion extends Recording {
  run: RunToDelete;
}

/**
 * Deletes about `limit` rows of a run and subtracts them from the totals. Returns the number of
 * deleted rows. Child rows are deleted first and the run last, so that an existing run is only
 * briefly incomplete.
 */
export async function deleteRunRows(deletion: Deletion, limit: number): Promise<number> {
  const { bulk, run } = deletion;
  // The lock lets concurrent writers finish first, or makes them find no run.
  const { tenant_id: tenantId, id } = run;
  await bulk.find('runs', ['id'], {
    tenantId,
    by: 'id',
    values: [id],
    lock: 'update',
  });
  let deleted = 0;
  for (const remove of [deleteEvaluations, deleteSpans, deleteSteps, deleteScores, deleteCalls]) {
    deleted += await remove(deletion, limit - deleted);
    if (deleted >= limit) return deleted;
  }
  await deleteAnnotationItems(deletion);
  await deleteRun(deletion);
  return deleted + 1;
}

const deleteEvaluations = (deletion: Deletion, limit: number) =>
  deletePlain(deletion, 'evaluations', limit);
const deleteSpans = (deletion: Deletion, limit: number) => deletePlain(deletion, 'spans', limit);
const deleteSteps = (deletion: Deletion, limit: number) => deletePlain(deletion, 'steps', limit);

/** Deletes rows that are not part of any total. */
async function deletePlain(
  { db, run }: Deletion,
  table: 'spans' | 'steps' | 'evaluations',
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('tenant_id', '=', run.tenant_id)
    .where('id', 'in', (eb) => ofRun(eb.selectFrom(table).select('id' as never), run).limit(limit))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

// Totals are reduced by the rows that were actually deleted, because rows that were read earlier
// could have changed.
async function deleteScores({ db, tally, run }: Deletion, limit: number): Promise<number> {
  const rows = await db
    .deleteFrom('scores')
    .where('tenant_id', '=', run.tenant_id)
    .where('id', 'in', (eb) => ofRun(eb.selectFrom('scores').select('id'), run).limit(limit))
    .returning(['name', 'data_type', 'source', 'numeric_value', 'string_value', 'created_at'])
    .execute();
  countScores(tally, run, rows, -1);
  return rows.length;
}

async function deleteCalls(deletion: Deletion, limit: number): Promise<number> {
  const { db, bulk, search, tally, run } = deletion;
  const calls = await ofRun(db.selectFrom('llm_calls').select('id'), run).limit(limit).execute();
  const ids = calls.map(({ id }) => id);
  const where = { tenantId: run.tenant_id, by: 'id', values: ids, lock: 'update' } as const;
  await bulk.find('llm_calls', ['id'], where);
  const rows = await db
    .deleteFrom('llm_calls')
    .where('tenant_id', '=', run.tenant_id)
    .where('id', 'in', valueList(ids))
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
  await search.changed(
    deletion,
    run.tenant_id,
    rows.map(({ id }) => id),
  );
  countCalls(tally, run, rows, -1);
  countPrompts(tally, rows, -1);
  await subtractFromRun(deletion, rows);
  return rows.length;
}

const ofRun = <Q extends { where(column: never, operator: '=', value: never): Q }>(
  query: Q,
  { tenant_id, id }: RunToDelete,
): Q =>
  query
    .where('tenant_id' as never, '=', tenant_id as never)
    .where('run_id' as never, '=', id as never);

async function subtractFromRun(
  { bulk, run: { tenant_id, id } }: Deletion,
  calls: readonly { total_tokens: number; cost: number }[],
): Promise<void> {
  const how = { key: ['tenant_id', 'id'], add: ['llm_call_count', 'tokens', 'cost'] } as const;
  const tokens = -calls.reduce((sum, call) => sum + call.total_tokens, 0);
  const cost = -calls.reduce((sum, call) => sum + call.cost, 0);
  await bulk.add('runs', how, [{ tenant_id, id, llm_call_count: -calls.length, tokens, cost }]);
}

/**
 * Deletes the items of a run in annotation queues. They are few, because a run is in each queue at
 * most once.
 */
async function deleteAnnotationItems({ db, run }: Deletion): Promise<void> {
  await db
    .deleteFrom('annotation_items')
    .where('tenant_id', '=', run.tenant_id)
    .where('run_id', '=', run.id)
    .execute();
}

async function deleteRun({ db, tally, run }: Deletion): Promise<void> {
  await db
    .deleteFrom('runs')
    .where('tenant_id', '=', run.tenant_id)
    .where('id', '=', run.id)
    .execute();
  countRun(tally, run, -1);
  countRunHour(tally, run, -1);
  if (run.completed_at !== null) countDuration(tally, run, run.started_at - run.completed_at);
}
