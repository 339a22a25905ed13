import { countOf } from '../storage/count.ts';
import type { Db } from '../storage/open.ts';

export interface RunFilter {
  agent?: string | undefined;
  status?: 'running' | 'success' | 'error' | undefined;
  limit: number;
  offset: number;
}

export async function listRuns(db: Db, tenantId: string, filter: RunFilter) {
  let runs = db.selectFrom('runs').where('tenant_id', '=', tenantId);
  if (filter.agent) runs = runs.where('agent_name', '=', filter.agent);
  if (filter.status) runs = runs.where('status', '=', filter.status);
  const rows = await runs
    .select(['id', 'agent_name', 'workflow_name', 'trace_id', 'session_id', 'user_id', 'status'])
    .select(['started_at', 'completed_at', 'llm_call_count', 'tokens', 'cost'])
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute();
  return { rows, count: await countOf(runs) };
}

export function findRunDetail(db: Db, tenantId: string, id: number) {
  return db
    .selectFrom('runs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What was recorded on a run, each in the order in which it came. */
export async function findRunContents(db: Db, tenantId: string, runId: number) {
  const [llm_calls, steps, spans, scores] = await Promise.all([
    db
      .selectFrom('llm_calls')
      .innerJoin('llm_call_bodies', (join) =>
        join
          .onRef('llm_call_bodies.tenant_id', '=', 'llm_calls.tenant_id')
          .onRef('llm_call_bodies.llm_call_id', '=', 'llm_calls.id'),
      )
      .selectAll('llm_calls')
      .select(['llm_call_bodies.prompt_preview', 'llm_call_bodies.response_preview'])
      .where('llm_calls.tenant_id', '=', tenantId)
      .where('llm_calls.run_id', '=', runId)
      .orderBy('llm_calls.id')
      .execute(),
    db
      .selectFrom('steps')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('run_id', '=', runId)
      .orderBy('id')
      .execute(),
    db
      .selectFrom('spans')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('run_id', '=', runId)
      .orderBy('position')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('scores')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('run_id', '=', runId)
      .orderBy('id')
      .execute(),
  ]);
  return { llm_calls, steps, spans, scores };
}
