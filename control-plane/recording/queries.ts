import type { Insertable } from 'kysely';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';

type Row<T extends keyof Tables> = Omit<Insertable<Tables[T]>, 'id'>;

/** The workflow of this pair, made on first sight. */
export async function workflowIdOf(
  db: Db,
  pair: { tenant_id: string; agent_name: string; workflow_name: string },
): Promise<number> {
  const find = () =>
    db
      .selectFrom('workflows')
      .select('id')
      .where('tenant_id', '=', pair.tenant_id)
      .where('agent_name', '=', pair.agent_name)
      .where('workflow_name', '=', pair.workflow_name)
      .executeTakeFirst();
  const known = await find();
  if (known) return known.id;
  await db
    .insertInto('workflows')
    .values(pair)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await find();
  if (!made) throw new Error('a workflow vanished while it was made');
  return made.id;
}

export async function insertRun(db: Db, run: Row<'runs'>): Promise<number> {
  const { id } = await db.insertInto('runs').values(run).returning('id').executeTakeFirstOrThrow();
  return id;
}

export function findRun(db: Db, tenantId: string, id: number) {
  return db
    .selectFrom('runs')
    .select(['id', 'agent_name', 'workflow_name', 'status', 'started_at'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** False when the run is not running: unknown, or completed already. */
export async function completeRun(
  db: Db,
  key: { tenantId: string; id: number },
  end: Pick<Row<'runs'>, 'status' | 'result' | 'error' | 'completed_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set(end)
    .where('tenant_id', '=', key.tenantId)
    .where('id', '=', key.id)
    .where('status', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export interface CallWithBody {
  row: Row<'llm_calls'>;
  body: { prompt_preview: string; response_preview: string };
}

/** Stores at most 1,000 calls, and adds them to their run's totals. */
export async function insertLlmCalls(
  db: Db,
  run: { tenantId: string; id: number },
  calls: readonly CallWithBody[],
): Promise<void> {
  if (calls.length === 0) return;
  const inserted = await db
    .insertInto('llm_calls')
    .values(calls.map(({ row }) => row))
    .returning('id')
    .execute();
  // Ids are counted up in the order of the rows; the order in which they are returned is free.
  const ids = inserted.map(({ id }) => id).sort((a, b) => a - b);
  const bodies = calls.map(({ body }, index) => ({
    tenant_id: run.tenantId,
    llm_call_id: ids[index] as number,
    ...body,
  }));
  await db.insertInto('llm_call_bodies').values(bodies).execute();
  const totals = { tokens: 0, cost: 0 };
  for (const { row } of calls) {
    totals.tokens += row.total_tokens;
    totals.cost += row.cost;
  }
  await db
    .updateTable('runs')
    .set((eb) => ({
      llm_call_count: eb('llm_call_count', '+', calls.length),
      tokens: eb('tokens', '+', totals.tokens),
      cost: eb('cost', '+', totals.cost),
    }))
    .where('tenant_id', '=', run.tenantId)
    .where('id', '=', run.id)
    .execute();
}

// Well below SQLite's 32,766 and PostgreSQL's 65,535 parameters of one statement.
const ROWS_PER_STATEMENT = 1000;

const chunks = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_STATEMENT) }, (_, i) =>
    rows.slice(i * ROWS_PER_STATEMENT, (i + 1) * ROWS_PER_STATEMENT),
  );

export async function insertSteps(db: Db, rows: readonly Row<'steps'>[]): Promise<void> {
  for (const chunk of chunks(rows)) await db.insertInto('steps').values(chunk).execute();
}

export async function insertSpans(db: Db, rows: readonly Row<'spans'>[]): Promise<void> {
  for (const chunk of chunks(rows)) await db.insertInto('spans').values(chunk).execute();
}

export async function insertScores(
  db: Db,
  rows: readonly Insertable<Tables['scores']>[],
): Promise<void> {
  for (const chunk of chunks(rows)) await db.insertInto('scores').values(chunk).execute();
}
