import { type Expression, sql } from 'kysely';
import type { Storage } from '../../storage/open.ts';

/** Longer texts are skipped or cut, because a simulation reads a large number of rows. */
const MAX_JSON_LENGTH = 16_384;
const MAX_TEXT_LENGTH = 4096;
const CALLS_OF_A_RUN = 50;
const TOOLS_OF_A_RUN = 50;

export interface PagePosition {
  started_at: number;
  id: number;
}

export interface RunFilter {
  /** Whether the results of runs are read. */
  results: boolean;
}

const bounded = (column: string) =>
  sql<
    string | null
  >`case when length(${sql.ref(column)}) <= ${sql.lit(MAX_JSON_LENGTH)} then ${sql.ref(column)} end`;

/** Reads the runs that started since a time, oldest first, after the position `after`. */
export function nextRuns(
  { reader }: Storage,
  tenantId: string,
  { after, limit, results }: RunFilter & { after: PagePosition; limit: number },
) {
  return reader
    .selectFrom('runs')
    .select(['id', 'agent_name', 'workflow_name', 'session_id', 'user_id', 'user_group'])
    .select(['end_user_id', 'status', 'started_at', 'completed_at', 'tokens', 'cost'])
    .select(['llm_call_count', 'error'])
    .select([bounded('inputs').as('inputs'), sql<number>`length(inputs)`.as('inputs_length')])
    .select(results ? [bounded('result').as('result')] : [sql<null>`null`.as('result')])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`(started_at, id) > (${after.started_at}, ${after.id})`)
    .orderBy('started_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

type Ids = Expression<number>;

/** Returns the usage by run and model, and the time of the last call. */
export function usageByModel({ reader }: Storage, tenantId: string, runs: Ids) {
  return reader
    .selectFrom('llm_calls')
    .select(['run_id', 'model'])
    .select((eb) => [
      eb.fn.sum<number>('total_tokens').as('tokens'),
      eb.fn.sum<number>('cost').as('cost'),
      eb.fn.max('created_at').as('last_at'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('run_id', 'in', runs)
    .groupBy(['run_id', 'model'])
    .execute();
}

/** Returns the step count of each run, and the time of the last step. */
export function countSteps({ reader }: Storage, tenantId: string, runs: Ids) {
  return reader
    .selectFrom('steps')
    .select('run_id')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('created_at').as('last_at')])
    .where('tenant_id', '=', tenantId)
    .where('run_id', 'in', runs)
    .groupBy('run_id')
    .execute();
}

/** Returns the span count of each run by kind, and the time of the last span. */
export function countSpans({ reader }: Storage, tenantId: string, runs: Ids) {
  return reader
    .selectFrom('spans')
    .select(['run_id', 'kind'])
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('created_at').as('last_at')])
    .where('tenant_id', '=', tenantId)
    .where('run_id', 'in', runs)
    .groupBy(['run_id', 'kind'])
    .execute();
}

/** Reads the first calls of each run, with their texts cut. */
export function firstCalls({ reader }: Storage, tenantId: string, runs: Ids) {
  const text = (column: string) =>
    sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(MAX_TEXT_LENGTH)})`;
  const first = reader
    .selectFrom('llm_calls')
    .select('id')
    .select(sql<number>`row_number() over (partition by run_id order by id)`.as('row_number'))
    .where('tenant_id', '=', tenantId)
    .where('run_id', 'in', runs);
  return reader
    .selectFrom('llm_calls as call')
    .innerJoin(first.as('first'), 'first.id', 'call.id')
    .select(['call.run_id', 'call.model', 'call.tokens_in', 'call.tokens_out', 'call.cost'])
    .select([text('prompt_preview').as('prompt'), text('response_preview').as('response')])
    .where('call.tenant_id', '=', tenantId)
    .where('first.row_number', '<=', CALLS_OF_A_RUN)
    .orderBy('call.id')
    .execute();
}

/** Reads the first tool spans of each run. */
export function firstTools({ reader }: Storage, tenantId: string, runs: Ids) {
  const first = reader
    .selectFrom('spans')
    .select('id')
    .select(sql<number>`row_number() over (partition by run_id order by id)`.as('row_number'))
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'tool')
    .where('run_id', 'in', runs);
  return reader
    .selectFrom('spans as span')
    .innerJoin(first.as('first'), 'first.id', 'span.id')
    .select(['span.run_id', 'span.name', 'span.kind', 'span.status', 'span.created_at'])
    .select(['span.duration_ms', 'span.position'])
    .select([bounded('attributes').as('attributes'), bounded('input_data').as('input_data')])
    .select(bounded('output_data').as('output_data'))
    .where('span.tenant_id', '=', tenantId)
    .where('first.row_number', '<=', TOOLS_OF_A_RUN)
    .orderBy('span.id')
    .execute();
}

export function listEndUserLimits({ reader }: Storage, tenantId: string) {
  return reader
    .selectFrom('end_user_limits')
    .select(['kind', 'id', 'monthly_budget', 'requests_per_minute'])
    .where('tenant_id', '=', tenantId)
    .execute();
}
