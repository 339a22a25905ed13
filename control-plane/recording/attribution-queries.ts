import { sql } from 'kysely';
import { HOUR_MS } from '#lib/time-units.ts';
import { countDuration, countRun, countScores, countUsage, type RunRef } from '../usage/count.ts';
import type { Tally } from '../usage/tally.ts';
import type { Recording } from './queries.ts';
import type { Tx } from '../storage/transaction.ts';

/** The owner of a run. */
export type RunOwner = Pick<RunRef, 'agent_name' | 'workflow_name' | 'session_id' | 'user_id'> & {
  workflow_id: number;
};

/**
 * Moves a run, with everything recorded on it, to another agent, session or user. Traces need this
 * if their first spans lack the attribution. Totals are moved as well, so the caller must store the
 * tally and delete empty totals afterwards.
 */
export async function attributeRun(
  recording: Recording,
  run: RunRef,
  to: RunOwner,
): Promise<RunRef> {
  const { db, search, tally } = recording;
  const moved: RunRef = { ...run, ...to };
  const usage = await usageOf(recording, run);
  countAll(tally, run, usage, -1);
  countAll(tally, moved, usage, 1);
  await db
    .updateTable('runs')
    .set(to)
    .where('tenant_id', '=', run.tenant_id)
    .where('id', '=', run.id)
    .execute();
  const { agent_name, workflow_name } = to;
  const calls = await db
    .updateTable('llm_calls')
    .set({ agent_name, workflow_name })
    .where('tenant_id', '=', run.tenant_id)
    .where('run_id', '=', run.id)
    .returning('id')
    .execute();
  await search.changed(
    recording,
    run.tenant_id,
    calls.map(({ id }) => id),
  );
  await db
    .updateTable('scores')
    .set({ run_agent_name: agent_name })
    .where('tenant_id', '=', run.tenant_id)
    .where('run_id', '=', run.id)
    .execute();
  return moved;
}

type Usage = Awaited<ReturnType<typeof usageOf>>;

/** Returns everything on a run that the totals count. */
async function usageOf(tx: Tx, run: RunRef) {
  const { completed_at } = await tx.db
    .selectFrom('runs')
    .select('completed_at')
    .where('tenant_id', '=', run.tenant_id)
    .where('id', '=', run.id)
    .executeTakeFirstOrThrow();
  const hour = sql<number>`created_at / ${sql.lit(HOUR_MS)}`;
  const models = await tx.db
    .selectFrom('llm_calls')
    .select(['model', hour.as('hour')])
    .select((eb) => [
      eb.fn.countAll<number>().as('call_count'),
      eb.fn.sum<number>('total_tokens').as('total_tokens'),
      eb.fn.sum<number>('cost').as('total_cost'),
      sql<number>`sum(case when cost_source = 'unpriced' then 1 else 0 end)`.as('unpriced_count'),
    ])
    .where('tenant_id', '=', run.tenant_id)
    .where('run_id', '=', run.id)
    .groupBy(['model', hour])
    .execute();
  const scores = await tx.db
    .selectFrom('scores')
    .select(['name', 'data_type', 'source', 'numeric_value', 'string_value', 'created_at'])
    .where('tenant_id', '=', run.tenant_id)
    .where('run_id', '=', run.id)
    .execute();
  return { duration: completed_at === null ? 0 : completed_at - run.started_at, models, scores };
}

function countAll(tally: Tally, run: RunRef, usage: Usage, sign: 1 | -1): void {
  countRun(tally, run, sign);
  countDuration(tally, run, sign * usage.duration);
  for (const model of usage.models)
    countUsage(
      tally,
      run,
      {
        model: model.model,
        hour: model.hour,
        call_count: sign * model.call_count,
        total_tokens: sign * model.total_tokens,
        total_cost: sign * model.total_cost,
        unpriced_count: sign * model.unpriced_count,
      },
      run.started_at,
    );
  countScores(tally, run, usage.scores, sign);
}
