import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type Action, actions } from '#contract/policy-actions.ts';
import type { Db } from '../storage/open.ts';
import type { Tables } from '../storage/tables.ts';
import { valueList } from '../storage/value-list.ts';
import type { RunFilter, RunSort } from './list-rules.ts';

export type Runs = SelectQueryBuilder<Tables, 'runs', object>;

const milliseconds = sql<number>`(runs.completed_at - runs.started_at)`;

/**
 * The number of failed spans of a run, plus one if the run itself failed. Only an index is read.
 */
export const errorCount = sql<number>`((select count(*) from spans
  where spans.tenant_id = runs.tenant_id and spans.run_id = runs.id and spans.status = 'error')
  + case when runs.status = 'error' then 1 else 0 end)`;

/**
 * The value by which a list is sorted. It is never null, so that a page can continue after any
 * value.
 */
export const sortValue: Record<RunSort['by'], RawBuilder<number>> = {
  started_at: sql`runs.started_at`,
  duration: sql`coalesce(${milliseconds}, -1)`,
  cost: sql`runs.cost`,
  tokens: sql`runs.tokens`,
  llm_calls: sql`runs.llm_call_count`,
  errors: errorCount,
};

/** Selects the runs that pass the filter; with `found`, only from among those. */
export function runsOf(
  db: Db,
  tenantId: string,
  filter: RunFilter,
  found: readonly number[] | undefined,
): Runs {
  let runs: Runs = db.selectFrom('runs').where('runs.tenant_id', '=', tenantId);
  if (found) runs = runs.where('runs.id', 'in', valueList(found));
  return withBounds(withFindings(withRecords(withNames(runs, filter), filter), filter), filter);
}

function withNames(all: Runs, { agent, workflow, status, user, session, ...rest }: RunFilter) {
  let runs = all;
  if (agent) runs = runs.where('runs.agent_name', '=', agent);
  if (workflow) runs = runs.where('runs.workflow_name', '=', workflow);
  if (status) runs = runs.where('runs.status', '=', status);
  if (user) runs = runs.where('runs.user_id', '=', user);
  if (session) runs = runs.where('runs.session_id', '=', session);
  if (rest.team) runs = runs.where('runs.user_group', '=', rest.team);
  if (rest.api_key) runs = runs.where('runs.api_key_id', '=', rest.api_key);
  for (const tag of rest.tag ?? []) runs = runs.where(hasTag(tag));
  if (rest.environment) runs = runs.where(hasMetadata('environment', rest.environment));
  if (rest.version) runs = runs.where(hasMetadata('service_version', rest.version));
  return runs;
}

/**
 * Whether this is one of the texts in a JSON array. `,"` begins an element and never occurs within
 * one, because quotes are escaped there.
 */
function hasTag(tag: string): RawBuilder<boolean> {
  const elements = sql`(',' || substr(runs.tags, 2))`;
  const end = (last: string) => `,${JSON.stringify(tag)}${last}`;
  return sql`(${isIn(elements, end(','))} or ${isIn(elements, end(']'))})`;
}

const hasMetadata = (name: string, value: string): RawBuilder<boolean> =>
  isIn(sql`runs.metadata`, `"${name}":${JSON.stringify(value)}`);

/**
 * Whether a text contains another one, with the same case. `like` would ignore the case on SQLite.
 */
const isIn = (text: RawBuilder<unknown>, part: string): RawBuilder<boolean> =>
  sql<boolean>`replace(${text}, ${part}, '') <> ${text}`;

function withRecords(all: Runs, { model, has_error }: RunFilter): Runs {
  let runs = all;
  if (model?.length)
    runs = runs.where((eb) =>
      eb.exists(
        eb
          .selectFrom('llm_calls')
          .select(sql`1`.as('one'))
          .whereRef('llm_calls.tenant_id', '=', 'runs.tenant_id')
          .whereRef('llm_calls.run_id', '=', 'runs.id')
          .where('llm_calls.model', 'in', valueList(model)),
      ),
    );
  if (has_error === 'true') runs = runs.where(errorCount, '>', 0);
  if (has_error === 'false') runs = runs.where(errorCount, '=', 0);
  return runs;
}

function withFindings(all: Runs, { verdict, score, ...filter }: RunFilter): Runs {
  let runs = all;
  if (verdict) {
    runs = runs.where(hasVerdict([verdict]));
    const stricter = actions.slice(0, actions.indexOf(verdict));
    if (stricter.length > 0) runs = runs.where(sql<boolean>`not ${hasVerdict(stricter)}`);
  }
  if (!score) return runs;
  const scores = sql`scores where scores.tenant_id = runs.tenant_id
    and scores.run_id = runs.id and scores.name = ${score}`;
  const average = sql<number>`(select avg(scores.numeric_value) from ${scores})`;
  runs = runs.where(sql<boolean>`exists (select 1 from ${scores})`);
  if (filter.score_value)
    runs = runs.where(
      sql<boolean>`exists (select 1 from ${scores} and scores.string_value = ${filter.score_value})`,
    );
  if (filter.min_score !== undefined) runs = runs.where(average, '>=', filter.min_score);
  if (filter.max_score !== undefined) runs = runs.where(average, '<=', filter.max_score);
  return runs;
}

const hasVerdict = (wanted: readonly Action[]) =>
  sql<boolean>`exists (select 1 from evaluations where evaluations.tenant_id = runs.tenant_id
    and evaluations.run_id = runs.id and evaluations.action in ${valueList(wanted)})`;

function withBounds(all: Runs, filter: RunFilter): Runs {
  let runs = all;
  if (filter.start !== undefined) runs = runs.where('runs.started_at', '>=', filter.start);
  if (filter.end !== undefined) runs = runs.where('runs.started_at', '<', filter.end);
  if (filter.min_cost !== undefined) runs = runs.where('runs.cost', '>=', filter.min_cost);
  if (filter.max_cost !== undefined) runs = runs.where('runs.cost', '<=', filter.max_cost);
  if (filter.min_tokens !== undefined) runs = runs.where('runs.tokens', '>=', filter.min_tokens);
  if (filter.max_tokens !== undefined) runs = runs.where('runs.tokens', '<=', filter.max_tokens);
  if (filter.min_duration !== undefined)
    runs = runs.where(milliseconds, '>=', Math.ceil(filter.min_duration * 1000));
  if (filter.max_duration !== undefined)
    runs = runs.where(milliseconds, '<=', Math.floor(filter.max_duration * 1000));
  return runs;
}
